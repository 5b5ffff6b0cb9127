/** What the safeguards decided, for the caller: the header of every checked answer, and the receipt. */

import type { IncomingHttpHeaders } from 'node:http'
import { moreSevereVerdict, inChainOrder } from '@sallyport/core'
import type { LocatedFinding, Verdict } from '@sallyport/core'
import { roundedMilliseconds, wireScore } from '../dialects/values.js'
import { invalidField } from '../invalid-field.js'

/** Places of a receipt: an answer must not grow with what a caller can have found. Counts are complete. */
const maxSpans = 32

/** Both together, type by type. */
const sumFindings = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) => {
  const sum = new Map(Object.entries(one))
  for (const [type, count] of Object.entries(other)) sum.set(type, (sum.get(type) ?? 0) + count)
  return Object.fromEntries(sum)
}

/** In the order of the chain. */
const grouped = (verdicts: readonly Verdict[], keyOf: (verdict: Verdict) => string): Verdict[][] => {
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
  return grouped(verdicts, ({ check, mode }) => `${check} ${mode}`)
    .map((group) => group.reduce((one, other) => moreSevereVerdict(one, other)))
    .map(({ check, mode, verdict }) => `${check}=${mode === 'shadow' ? 'shadow-' : ''}${verdict}`)
    .join(',')
}

/** One check of what goes in or comes out, over all texts that it looked at. */
export interface Receipt {
  readonly check: Verdict['check']
  readonly stage: Verdict['stage']
  /** The gravest. */
  readonly verdict: Verdict['verdict']
  readonly mode: Verdict['mode']
  /** Why no detector was asked. */
  readonly reason?: Verdict['reason']
  /** The highest of that verdict; absent where the detector did not answer. */
  readonly score?: number
  /** Name and version. */
  readonly detector?: string
  /** Of the detector, for all texts together. */
  readonly latency_ms: number
  readonly window?: 'answer'
  readonly findings: Readonly<Record<string, number>>
  /** For what goes in only: see {@link Verdict.spans}. */
  readonly spans?: readonly LocatedFinding[]
}

/** @param wireField the path in the body of what the kernel calls a field */
export const receiptsOf = (verdicts: readonly Verdict[], wireField: (path: string) => string): Receipt[] =>
  grouped(verdicts, ({ check, stage, mode }) => `${check} ${stage} ${mode}`).map((group) => {
    const { check, stage, verdict, mode, reason, score, detector, window } = group.reduce((one, other) =>
      moreSevereVerdict(one, other),
    )
    const spans = group.flatMap((one) => one.spans ?? []).slice(0, maxSpans)
    return {
      ...{ check, stage, verdict, mode },
      ...(reason === undefined ? {} : { reason }),
      ...(score === undefined ? {} : { score: wireScore(score) }),
      ...(detector === undefined ? {} : { detector }),
      latency_ms: roundedMilliseconds(group.reduce((sum, { latency }) => sum + latency, 0)),
      ...(window === undefined ? {} : { window }),
      findings: group.reduce<Record<string, number>>((sum, { findings = {} }) => sumFindings(sum, findings), {}),
      ...(stage === 'input' ? { spans: spans.map((span) => onWire(span, wireField)) } : {}),
    }
  })

const onWire = (span: LocatedFinding, wireField: (path: string) => string): LocatedFinding => ({
  ...span,
  field: wireField(span.field),
  score: wireScore(span.score),
})

/** The request's header that asks for receipts. */
export const receiptHeader = 'x-safeguards-receipt'

const readings: Readonly<Record<string, boolean>> = {
  '': false,
  none: false,
  true: true,
  1: true,
  false: false,
  0: false,
}

/** @throws invalid_request for what can be read neither as yes nor as no */
export const asksForReceipt = (headers: IncomingHttpHeaders): boolean => {
  const given = String(headers[receiptHeader] ?? '')
    .trim()
    .toLowerCase()
  const wanted = Object.hasOwn(readings, given) ? readings[given] : undefined
  if (wanted !== undefined) return wanted
  throw invalidField(receiptHeader, 'this header must be true or false')
}
