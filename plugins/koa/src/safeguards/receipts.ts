/** Reports to callers what the safeguards decided: by a header of every checked answer, and by the receipt. */

import type { IncomingHttpHeaders } from 'node:http'
import { moreSevereVerdict, inChainOrder, sumFindings } from '@sallyport/core'
import type { LocatedFinding, Verdict } from '@sallyport/core'
import { roundedMilliseconds, wireScore } from '../dialects/values.js'
import { invalidField } from '../invalid-field.js'

/** A receipt lists at most this many spans, so that findings cannot inflate an answer; its counts are complete. */
const maxSpans = 32

/** Groups verdicts by a key, in the order of the chain. */
export const groupVerdicts = (verdicts: readonly Verdict[], keyOf: (verdict: Verdict) => string): Verdict[][] => {
  const groups = new Map<string, Verdict[]>()
  for (const verdict of inChainOrder(verdicts)) {
    const key = keyOf(verdict)
    const group = groups.get(key)
    if (group) group.push(verdict)
    else groups.set(key, [verdict])
  }
  return [...groups.values()]
}

/** `pii=replace,toxicity=pass`; what a check in shadow mode would have done reads `shadow-block`. */
export const safeguardsHeader = (verdicts: readonly Verdict[]): string | undefined => {
  if (!verdicts.length) return undefined
  return groupVerdicts(verdicts, ({ check, mode }) => `${check} ${mode}`)
    .map((group) => group.reduce((one, other) => moreSevereVerdict(one, other)))
    .map(({ check, mode, verdict }) => `${check}=${mode === 'shadow' ? 'shadow-' : ''}${verdict}`)
    .join(',')
}

/** The verdict of one check at one stage, over all texts. */
export interface Receipt {
  readonly check: Verdict['check']
  readonly stage: Verdict['stage']
  /** The most severe verdict. */
  readonly verdict: Verdict['verdict']
  readonly mode: Verdict['mode']
  /** Why no detector was called. */
  readonly reason?: Verdict['reason']
  /** The highest score with that verdict; absent where no detector answered. */
  readonly score?: number
  /** The detector's name and version. */
  readonly detector?: string
  /** Milliseconds of the detector for all texts together. */
  readonly latency_ms: number
  readonly window?: 'answer'
  readonly findings: Readonly<Record<string, number>>
  /** See {@link Verdict.unrestored}. */
  readonly unrestored?: Readonly<Record<string, number>>
  /** Present for input, documents and what tools said only: see {@link Verdict.spans}. */
  readonly spans?: readonly LocatedFinding[]
}

/** @param wireField translates the kernel's field paths to those of the body */
export const receiptsOf = (verdicts: readonly Verdict[], wireField: (path: string) => string): Receipt[] =>
  groupVerdicts(verdicts, ({ check, stage, mode }) => `${check} ${stage} ${mode}`).map((group) => {
    const { check, stage, verdict, mode, reason, score, detector, window } = group.reduce((one, other) =>
      moreSevereVerdict(one, other),
    )
    const spans = group.flatMap((one) => one.spans ?? []).slice(0, maxSpans)
    const sumOf = (counts: 'findings' | 'unrestored') =>
      group.reduce<Record<string, number>>((sum, { [counts]: more = {} }) => sumFindings(sum, more), {})
    const unrestored = sumOf('unrestored')
    return {
      ...{ check, stage, verdict, mode },
      ...(reason === undefined ? {} : { reason }),
      ...(score === undefined ? {} : { score: wireScore(score) }),
      ...(detector === undefined ? {} : { detector }),
      latency_ms: roundedMilliseconds(group.reduce((sum, { latency }) => sum + latency, 0)),
      ...(window === undefined ? {} : { window }),
      findings: sumOf('findings'),
      ...(Object.keys(unrestored).length ? { unrestored } : {}),
      ...(stage === 'input' || spans.length ? { spans: spans.map((span) => toWireSpan(span, wireField)) } : {}),
    }
  })

/** Where a check blocked a document or what a tool said, for an error's body: without a receipt, too, or nobody could find the passage. */
export const blockedSpans = (verdicts: readonly Verdict[], wireField: (path: string) => string): LocatedFinding[] =>
  verdicts
    .filter(({ stage, mode, verdict }) => stage === 'output' && mode === 'enforce' && verdict === 'block')
    .flatMap(({ spans = [] }) => spans)
    .slice(0, maxSpans)
    .map((span) => toWireSpan(span, wireField))

const toWireSpan = (span: LocatedFinding, wireField: (path: string) => string): LocatedFinding => ({
  ...span,
  field: wireField(span.field),
  score: wireScore(span.score),
})

/** The request header that asks for a receipt. */
export const receiptHeader = 'x-safeguards-receipt'

/** @throws invalid_request for a value that means neither true nor false */
export const asksForReceipt = (headers: IncomingHttpHeaders): boolean => {
  const given = String(headers[receiptHeader] ?? '')
    .trim()
    .toLowerCase()
  if (['true', '1'].includes(given)) return true
  if (['', 'none', 'false', '0'].includes(given)) return false
  throw invalidField(receiptHeader, 'this header must be true or false')
}
