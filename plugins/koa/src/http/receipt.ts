/** Puts what the safeguards decided into the body of an answer, where the caller asked for it. */

import type { Exchange } from '../routes/exchange.js'
import { receiptsOf } from './verdicts.js'
import type { Receipt } from './verdicts.js'

/** The member that is added to a body; none where nobody asked for it, or nothing that is guarded was called. */
export const receiptMember = (exchange: Exchange | undefined): { readonly safeguards?: readonly Receipt[] } =>
  exchange?.guarded && exchange.context.receipt ? { safeguards: receiptsOf(exchange.verdicts, exchange.wireField) } : {}

/** JSON text of an object that has members, with the receipt as its last member. */
export function* withReceiptPiece(pieces: Iterable<string>, exchange: Exchange): Generator<string, void> {
  const member = JSON.stringify(receiptMember(exchange)).slice(1, -1)
  if (!member) {
    yield* pieces
    return
  }
  let last: string | undefined
  for (const piece of pieces) {
    if (last !== undefined) yield last
    last = piece
  }
  if (last !== undefined) yield `${last.slice(0, -1)},${member}}`
}
