/** Runs one check on one text. */

import { failure, isSallyportError } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Verdict } from '@sallyport/core'
import { readingsInTime, asItStands } from '@sallyport/kit/views'
import type { Reading, ReadingBehind } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { ActiveCheck } from '../policy/active-check.js'
import { Budget, Progress } from './budget.js'
import type { InspectionMemory } from './inspection-memory.js'
import { describeFindings, inSourceText } from './findings.js'
import type { Source } from './findings.js'
import { validInspection } from './validity.js'

/** The call that a check belongs to, and where the check reports. */
export interface CheckContext {
  readonly call: Call
  readonly stage: Verdict['stage']
  readonly onVerdict: (verdict: Verdict) => void
  /** Receives the error of a failed detector. Its message may quote the inspected text. */
  readonly onFailure: (check: ActiveCheck, error: unknown) => void
  /** Describes the inspected text of a request; absent for output. */
  readonly source?: Source
  /** Shared by all calls about one text; where absent, each call of a detector has its own budget. */
  readonly budget?: Budget
  /** Finished inspections of all calls, which extend the budgets of waiting ones. */
  readonly progress?: Progress | undefined
  /** Inspections of recurring texts, over all calls. */
  readonly memory?: InspectionMemory | undefined
}

/**
 * Blocks when the score reaches the threshold.
 * @param reading the reading that the request's text is from; by default the original text
 * @throws content_blocked, safeguard_unavailable
 */
export const checkScore = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
  reading: Reading = asItStands(request.text),
): Promise<void> => {
  const inspection = await inspect(check, request, context)
  if (!inspection) return
  // Not `>=`: a threshold that is no number must not let everything pass.
  const block = !(inspection.score < check.policy.threshold)
  const found = inSourceText(reading, aboveThreshold(check, inspection))
  reportVerdict(context, check, block ? 'block' : 'pass', inspection, found)
  if (block && check.policy.mode === 'enforce') throw blocked(check)
}

/** Lets the policy decide where there is nothing to compare an answer with. @throws content_blocked */
export const decideUnreferenced = (check: ActiveCheck, { stage, onVerdict }: CheckContext): void => {
  const { name, definition, policy } = check
  const verdict = policy.unreferenced === 'block' ? 'block' : 'pass'
  const common = { check: name, stage, verdict, mode: policy.mode, order: definition.order, latency: 0 } as const
  onVerdict({ ...common, reason: 'no reference', ...(policy.window === 'answer' ? { window: 'answer' } : {}) })
  if (verdict === 'block' && policy.mode === 'enforce') throw blocked(check)
}

/** The findings that reach the threshold. */
const aboveThreshold = ({ policy: { threshold } }: ActiveCheck, { findings }: Inspection): Finding[] =>
  // Not `>=`: a threshold that is no number must not let everything pass.
  findings.filter(({ score }) => !(score < threshold))

/** The findings above the threshold without ignored types, which some detectors report all the same. */
export const relevantFindings = (check: ActiveCheck, inspection: Inspection): Finding[] =>
  aboveThreshold(check, inspection).filter(({ type }) => !check.policy.ignore?.includes(type))

/** Undefined where the detector fails and the policy lets failures pass. @throws safeguard_unavailable */
export const inspect = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  runDetector(check, request.text, context, async (call) => {
    const { detector, policy } = check
    if (!detector) throw failure('capability_missing', { capability: policy.check })
    const complete = policy.options ? { ...request, options: policy.options } : request
    const inspectNow = async () => validInspection(await detector.inspect(complete, call), request.text)
    return context.source?.isRecurring && context.memory
      ? context.memory.recall(policy, complete, call.tenant, inspectNow)
      : inspectNow()
  })

/** A budget for one text. */
export const budgetFor = ({ policy }: ActiveCheck, text: string, context: CheckContext): Budget =>
  new Budget(policy.budget, text, policy.check, context.progress ?? new Progress())

/**
 * Runs a detector within its budget. Any failure blocks, unless the policy lets failures pass; the result is then undefined.
 * @param text the text that the budget is for
 */
export const runDetector = async <Result>(
  check: ActiveCheck,
  text: string,
  context: CheckContext,
  run: (call: Call) => Promise<Result>,
): Promise<Result | undefined> => {
  const { name, policy, definition } = check
  const started = performance.now()
  try {
    return await (context.budget ?? budgetFor(check, text, context)).run(context.call, run)
  } catch (error) {
    context.call.signal.throwIfAborted()
    context.onFailure(check, error)
    const { stage } = context
    const verdict = { check: name, stage, verdict: 'unavailable', mode: policy.mode, order: definition.order } as const
    context.onVerdict({ ...verdict, latency: performance.now() - started })
    if (policy.mode === 'enforce' && policy.onFailure === 'block')
      throw failure('safeguard_unavailable', { name }, { cause: error, retryAfter: retryAfter(error) })
    return undefined
  }
}

/** Seconds to wait, which a detector that is loading or restarting tells. */
const retryAfter = (error: unknown) => (isSallyportError(error) ? error.retryAfter : undefined)

/**
 * All readings of a text. Where escapes cannot be undone, the check fails; if its policy lets failures pass, it sees the
 * original text only.
 * @param before the text before it, as context
 * @throws safeguard_unavailable
 */
export const readingsFor = async (
  check: ActiveCheck,
  text: string,
  context: CheckContext,
  before = '',
): Promise<readonly ReadingBehind[]> => {
  try {
    return await readingsInTime(before, text, context.call)
  } catch (error) {
    context.call.signal.throwIfAborted()
    await runDetector(check, text, context, () => Promise.reject(error as Error))
    return [{ ...asItStands(text), before }]
  }
}

/** The form of a reason that may be shown; others might quote the text. */
const safeReason = /^[a-z][a-z -]{0,39}$/

export const reportVerdict = (
  context: CheckContext,
  { name, definition: { order }, policy: { mode, window } }: ActiveCheck,
  verdict: Verdict['verdict'],
  { score, detector, latency, reason }: Inspection,
  found: readonly Pick<Finding, 'type' | 'start' | 'end' | 'score'>[],
) =>
  context.onVerdict({
    ...{ check: name, stage: context.stage, verdict, mode, order, score, detector, latency },
    ...(reason !== undefined && safeReason.test(reason) ? { reason } : {}),
    ...(window === 'answer' ? { window } : {}),
    ...describeFindings(found, context.source),
  })
