/** Runs one check on one text. */

import { failure, isSallyportError } from '@sallyport/core'
import type { Call, Finding, Inspection, InspectionRequest, Verdict } from '@sallyport/core'
import { readingsInTime, asItStands } from '@sallyport/kit/views'
import type { Reading, ReadingBehind } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { ActiveCheck } from '../policy/active-check.js'
import { Budget, Progress } from './budget.js'
import type { InspectionMemory } from './inspection-memory.js'
import { describeFindings, foundInReading } from './findings.js'
import type { Source } from './findings.js'
import { validInspection } from './validity.js'

/** Where the chain reports and logs. */
export interface CheckContext {
  readonly call: Call
  readonly stage: Verdict['stage']
  readonly onVerdict: (verdict: Verdict) => void
  /** Hears why a detector failed. The error's message may quote the text that the detector saw. */
  readonly onFailure: (check: ActiveCheck, error: unknown) => void
  /** What the inspected text is in the request; absent for what comes out. */
  readonly source?: Source
  /** The time for all that a detector is asked about one text; absent where each call of a detector has its own. */
  readonly budget?: Budget
  /** What detectors have finished, over all calls, for whoever waits for them. */
  readonly progress?: Progress | undefined
  /** What detectors found in texts that recur, over all calls. */
  readonly memory?: InspectionMemory | undefined
}

/**
 * Blocks when the score reaches the threshold.
 * @param reading whose text the request has, where that is not the text as it stands
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
  const found = foundInReading(reading, counting(check, inspection))
  report(context, check, block ? 'block' : 'pass', inspection, found)
  if (block && check.policy.mode === 'enforce') throw blocked(check)
}

/** Where there is nothing to compare an answer with, its policy decides. @throws content_blocked */
export const decideUnreferenced = (check: ActiveCheck, { stage, onVerdict }: CheckContext): void => {
  const { name, definition, policy } = check
  const verdict = policy.unreferenced === 'block' ? 'block' : 'pass'
  const shown = { check: name, stage, verdict, mode: policy.mode, order: definition.order, latency: 0 } as const
  onVerdict({ ...shown, reason: 'no reference', ...(policy.window === 'answer' ? { window: 'answer' } : {}) })
  if (verdict === 'block' && policy.mode === 'enforce') throw blocked(check)
}

/** The findings that reach the threshold. */
const counting = ({ policy: { threshold } }: ActiveCheck, { findings }: Inspection): Finding[] =>
  // Not `>=`: a threshold that is no number must not let everything pass.
  findings.filter(({ score }) => !(score < threshold))

/** Those of types that are not ignored, of a detector that ignores nothing, too. */
export const relevant = (check: ActiveCheck, inspection: Inspection): Finding[] =>
  counting(check, inspection).filter(({ type }) => !check.policy.ignore?.includes(type))

/** Undefined where the detector fails and the policy lets failures pass. @throws safeguard_unavailable */
export const inspect = async (
  check: ActiveCheck,
  request: InspectionRequest,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  guarded(check, request.text, context, async (call) => {
    const { detector, policy } = check
    if (!detector) throw failure('capability_missing', { capability: policy.check })
    const complete = policy.options ? { ...request, options: policy.options } : request
    const ask = async () => validInspection(await detector.inspect(complete, call), request.text)
    return context.source?.recurs && context.memory ? context.memory.recall(policy, complete, call.tenant, ask) : ask()
  })

/** The time for one text. */
export const budgetFor = ({ policy }: ActiveCheck, text: string, context: CheckContext): Budget =>
  new Budget(policy.budget, text, policy.check, context.progress ?? new Progress())

/**
 * Runs a detector within its budget. Whatever goes wrong blocks, unless the policy lets failures pass.
 * @param text what the detector is asked about
 */
export const guarded = async <Result>(
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

/** A detector that is loading, or is started again, says when to ask. */
const retryAfter = (error: unknown) => (isSallyportError(error) ? error.retryAfter : undefined)

/**
 * Every way to read a text. Where escapes cannot be undone the check has failed, and sees the text as it stands where its
 * policy lets failures pass.
 * @param before what stands before it
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
    await guarded(check, text, context, () => Promise.reject(error as Error))
    return [{ ...asItStands(text), before }]
  }
}

/** What a detector may say for a reason: it must not quote the text. */
const reasonForm = /^[a-z][a-z -]{0,39}$/

export const report = (
  context: CheckContext,
  { name, definition: { order }, policy: { mode, window } }: ActiveCheck,
  verdict: Verdict['verdict'],
  { score, detector, latency, reason }: Inspection,
  found: readonly Pick<Finding, 'type' | 'start' | 'end' | 'score'>[],
) =>
  context.onVerdict({
    ...{ check: name, stage: context.stage, verdict, mode, order, score, detector, latency },
    ...(reason !== undefined && reasonForm.test(reason) ? { reason } : {}),
    ...(window === 'answer' ? { window } : {}),
    ...describeFindings(found, context.source),
  })
