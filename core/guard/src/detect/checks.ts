/** Runs one check on one text. */

import { failure, isSallyportError } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Vault, Verdict } from '@sallyport/core'
import { readingsInTime, originalReading } from '@sallyport/kit/views'
import type { Reading, ReadingAfter } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { ActiveCheck } from '../policy/active-check.js'
import { Budget, Progress } from './budget.js'
import type { InspectionCache } from './inspection-cache.js'
import { describeFindings, asOriginalSpans } from './findings.js'
import type { TextDescription } from './findings.js'
import { validInspection } from './validity.js'

/** The call that a check belongs to, and where the check reports. */
export interface CheckContext {
  readonly call: Call
  readonly stage: Verdict['stage']
  readonly onVerdict: (verdict: Verdict) => void
  /** Receives the error of a failed detector. Its message may quote the inspected text. */
  readonly onFailure: (check: ActiveCheck, error: unknown) => void
  /** The inspected text of a request or a document; absent for other output. */
  readonly description?: TextDescription
  /** Shared by all calls about one text; where absent, each call of a detector has its own budget. */
  readonly budget?: Budget
  /** Finished inspections of all calls, which extend the budgets of waiting ones. */
  readonly progress?: Progress | undefined
  /** Inspections of recurring texts from all calls. */
  readonly cache?: InspectionCache | undefined
  /** What has been replaced in the request, where a policy restores it. */
  readonly vault?: Vault | undefined
  /** Resolves when the texts before this one are replaced, so that substitutes are made in the order of the texts. */
  readonly turn?: Promise<unknown>
}

/**
 * Blocks when the score reaches the threshold.
 * @param reading the reading that the request's text is from
 * @throws content_blocked, safeguard_unavailable
 */
export const checkScore = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
  reading: Reading,
): Promise<void> => {
  const inspection = await inspect(check, request, context)
  if (!inspection) return
  const block = isFlagged(check, inspection)
  const found = asOriginalSpans(reading, reachingThreshold(check, inspection))
  reportVerdict(context, check, block ? 'block' : 'pass', inspection, found)
  if (block && check.entry.mode === 'enforce') throw blocked(check)
}

// Not `>=`: a threshold that is not a number must not let everything pass.
const isFlagged = ({ entry }: ActiveCheck, { score }: Inspection): boolean => !(score < entry.threshold)

interface ScoredReading {
  readonly reading: Reading
  /** Those that reach the threshold, as spans of the reading. */
  readonly findings: readonly Finding[]
  /** Whether the score reaches it. */
  readonly isFlagged: boolean
}

/**
 * Asks the detector about every reading of a text. Readings in which it failed are left out; `worst` is the inspection
 * with the highest score of the others.
 * @throws safeguard_unavailable
 */
export const scoredReadings = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
): Promise<{ readonly readings: readonly ScoredReading[]; readonly worst: Inspection | undefined }> => {
  const readings: ScoredReading[] = []
  let worst: Inspection | undefined
  for (const reading of await readingsFor(check, request.text, context, request.before)) {
    const { text, before } = reading
    const inspection = await inspect(check, { ...request, text, ...(before ? { before } : {}) }, context)
    if (!inspection) continue
    if (!worst || inspection.score > worst.score) worst = inspection
    const findings = reachingThreshold(check, inspection)
    readings.push({ reading, findings, isFlagged: isFlagged(check, inspection) })
  }
  return { readings, worst }
}

/** Lets the policy decide where there is nothing to compare an answer with. @throws content_blocked */
export const decideUnreferenced = (check: ActiveCheck, { stage, onVerdict }: CheckContext): void => {
  const verdict = check.entry.unreferenced === 'block' ? 'block' : 'pass'
  onVerdict({ ...verdictOf(check, stage, verdict), latency: 0, reason: 'no reference' })
  if (verdict === 'block' && check.entry.mode === 'enforce') throw blocked(check)
}

/** The findings that reach the threshold. */
const reachingThreshold = ({ entry: { threshold } }: ActiveCheck, { findings }: Inspection): Finding[] =>
  // Not `>=`: a threshold that is not a number must not let everything pass.
  findings.filter(({ score }) => !(score < threshold))

/** The findings that reach the threshold, without ignored types, which some detectors report nevertheless. */
export const relevantFindings = (check: ActiveCheck, inspection: Inspection): Finding[] =>
  reachingThreshold(check, inspection).filter(({ type }) => !check.entry.ignore?.includes(type))

/** Undefined where the detector fails and that does not block. @throws safeguard_unavailable */
export const inspect = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  runWithinBudget(check, request.text, context, async (call) => {
    const { detector, entry } = check
    if (!detector) throw failure('capability_missing', { capability: entry.check })
    const complete = entry.options ? { ...request, options: entry.options } : request
    const inspectNow = async () => validInspection(await detector.inspect(complete, call), request.text)
    return context.description?.isRecurring && context.cache
      ? context.cache.getOrInspect(entry, complete, call.tenant, inspectNow)
      : inspectNow()
  })

/** A budget for one text. */
export const budgetFor = ({ entry }: ActiveCheck, text: string, context: CheckContext): Budget =>
  new Budget(entry.budget, text, entry.check, context.progress ?? new Progress())

/**
 * Any failure blocks, unless the check is in shadow mode or its policy fails open; the result is then undefined.
 * @param text the text that the budget is for
 */
export const runWithinBudget = async <Result>(
  check: ActiveCheck,
  text: string,
  context: CheckContext,
  run: (call: Call) => Promise<Result>,
): Promise<Result | undefined> => {
  const { name, entry } = check
  const started = performance.now()
  try {
    return await (context.budget ?? budgetFor(check, text, context)).run(context.call, run)
  } catch (error) {
    context.call.signal.throwIfAborted()
    context.onFailure(check, error)
    context.onVerdict({ ...verdictOf(check, context.stage, 'unavailable'), latency: performance.now() - started })
    if (entry.mode === 'enforce' && entry.onFailure === 'block')
      throw failure('safeguard_unavailable', { name }, { cause: error, retryAfter: retryAfter(error) })
    return undefined
  }
}

/** Seconds to wait, if the detector is loading or restarting. */
const retryAfter = (error: unknown) => (isSallyportError(error) ? error.retryAfter : undefined)

/**
 * All readings of a text. Where escapes cannot be undone, the check fails; if that does not block, it sees the original
 * text only.
 * @param before the text before it, as context
 * @throws safeguard_unavailable
 */
export const readingsFor = async (
  check: ActiveCheck,
  text: string,
  context: CheckContext,
  before = '',
): Promise<readonly ReadingAfter[]> => {
  try {
    return await readingsInTime(before, text, context.call)
  } catch (error) {
    context.call.signal.throwIfAborted()
    await runWithinBudget(check, text, context, () => Promise.reject(error as Error))
    return [{ ...originalReading(text), before }]
  }
}

/** What every verdict of a check has. */
const verdictOf = (
  { name, policy, definition: { order }, entry: { mode, window } }: ActiveCheck,
  stage: Verdict['stage'],
  verdict: Verdict['verdict'],
) => ({
  ...{ check: name, stage, verdict, mode, order },
  ...(policy === undefined ? {} : { policy }),
  ...(window === 'answer' ? { window } : {}),
})

/** The form of a reason that may be shown; others might quote the text. */
const safeReason = /^[a-z][a-z -]{0,39}$/

export const reportVerdict = (
  context: CheckContext,
  check: ActiveCheck,
  verdict: Verdict['verdict'],
  { score, detector, latency, reason }: Inspection,
  found: readonly Pick<Finding, 'type' | 'start' | 'end' | 'score'>[],
) =>
  context.onVerdict({
    ...verdictOf(check, context.stage, verdict),
    ...{ score, detector, latency },
    ...(reason !== undefined && safeReason.test(reason) ? { reason } : {}),
    ...describeFindings(found, context.description),
  })
