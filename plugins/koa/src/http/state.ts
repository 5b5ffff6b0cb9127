import type { ParameterizedContext } from 'koa'
import type { LocatedFinding } from '@sallyport/core'
import type { RequestAudit } from '../audit/request-audit.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Exchange } from '../routes/exchange.js'
import type { Route } from '../routes/route.js'
import { blockedSpans, receiptsOf, safeguardsHeader } from '../safeguards/receipts.js'
import type { Receipt } from '../safeguards/receipts.js'
import type { ObservedRequest } from '../telemetry.js'

export interface RequestState {
  requestId: string
  dialect: Dialect
  observed: ObservedRequest
  /** The matched route. */
  route?: Route
  exchange?: Exchange
  /** Absent where there is no audit log, and for open routes. */
  audit?: RequestAudit
  /** The error that was answered, if any. */
  error?: unknown
}

export type RequestContext = ParameterizedContext<RequestState>

/** The header `x-safeguards`; empty where no check ran. */
export const safeguardHeaders = (exchange: Exchange | undefined): Record<string, string> => {
  const header = safeguardsHeader(exchange?.verdicts ?? [])
  return header === undefined ? {} : { 'x-safeguards': header }
}

/** The receipt as a member of a body; empty where the caller asked for none, or no guarded capability was called. */
export const receiptMember = (exchange: Exchange | undefined): { readonly safeguards?: readonly Receipt[] } =>
  exchange?.guarded && exchange.context.receipt ? { safeguards: receiptsOf(exchange.verdicts, exchange.wireField) } : {}

/** Where a document was blocked, as a member of an error's body; empty for other errors. */
export const blockedMember = (exchange: Exchange | undefined): { readonly spans?: readonly LocatedFinding[] } => {
  const spans = exchange ? blockedSpans(exchange.verdicts, exchange.wireField) : []
  return spans.length ? { spans } : {}
}

/** JSON text of an object that has members, with the receipt as its last member. */
export function* withReceiptChunk(chunks: Iterable<string>, exchange: Exchange): Generator<string, void> {
  const member = JSON.stringify(receiptMember(exchange)).slice(1, -1)
  if (!member) {
    yield* chunks
    return
  }
  let last: string | undefined
  for (const chunk of chunks) {
    if (last !== undefined) yield last
    last = chunk
  }
  if (last !== undefined) yield `${last.slice(0, -1)},${member}}`
}
