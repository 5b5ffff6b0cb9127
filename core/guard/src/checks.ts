/** Runs one detector under one check policy. */

import { failure, isSallyportError } from '@sallyport/core'
import type {
  Call,
  SpanDetector,
  Finding,
  Inspection,
  InspectionRequest,
  Safeguard,
  CheckPolicy,
  FactualityPolicy,
  PiiPolicy,
  Verdict,
} from '@sallyport/core'
import { readingsInTime, asItStands } from '@sallyport/kit/views'
import type { Reading, ReadingBehind } from '@sallyport/kit/views'
import { Budget, Progress } from './budget.js'
import type { InspectionMemory } from './inspection-memory.js'
import { describeFindings, foundInReading } from './findings.js'
import type { Source } from './findings.js'
import { soundInspection } from './soundness.js'

/** Finds the detector for a check; undefined when no plugin provides it. */
export interface Detectors {
  readonly injection: Safeguard | undefined
  readonly pii: SpanDetector | undefined
  readonly toxicity: Safeguard | undefined
  readonly factuality: Safeguard | undefined
}

export type CheckName = keyof Detectors

/** Where the chain reports and logs. */
export interface CheckContext {
  readonly call: Call
  readonly stage: Verdict['stage']
  readonly detectors: Detectors
  readonly onVerdict: (verdict: Verdict) => void
  /** Hears why a detector failed. The error's message may quote the text that the detector saw. */
  readonly onFailure: (check: CheckName, error: unknown) => void
  /** What the inspected text is in the request; absent for what comes out. */
  readonly source?: Source
  /** Of all that a detector is asked about one text; absent where each call of a detector has its own. */
  readonly budget?: Budget
  /** What detectors have finished, for whoever waits for them. */
  readonly progress?: Progress
  /** What detectors found in texts that recur. */
  readonly memory?: InspectionMemory
}

/** The fixed texts of the interface for a blocked request. */
export const blockedBy: Record<CheckName, string> = {
  injection: 'prompt injection detected',
  pii: 'pii detected',
  toxicity: 'failed toxicity check',
  factuality: 'failed factuality check',
}

/**
 * Blocks when the score reaches the threshold.
 * @param reading whose text the request has, where that is not the text as it stands
 * @throws content_blocked, safeguard_unavailable
 */
export const checkScore = async (
  name: Exclude<CheckName, 'pii'>,
  policy: CheckPolicy,
  request: InspectionRequest,
  context: CheckContext,
  reading: Reading = asItStands(request.text),
): Promise<void> => {
  const inspection = await inspect(name, context.detectors[name], policy, request, context)
  if (!inspection) return
  // Not `>=`: a threshold that is no number must not let everything pass.
  const block = !(inspection.score < policy.threshold)
  const found = foundInReading(reading, counting(policy, inspection))
  report(context, name, policy, block ? 'block' : 'pass', inspection, found)
  if (block && policy.mode === 'enforce') throw failure('content_blocked', { verdict: blockedBy[name] })
}

/** Where there is nothing to compare an answer with, its policy decides. @throws content_blocked */
export const decideUnreferenced = (policy: FactualityPolicy, { stage, onVerdict }: CheckContext): void => {
  const { mode, window, unreferenced } = policy
  const verdict = unreferenced === 'block' ? 'block' : 'pass'
  const shown = { check: 'factuality', stage, verdict, mode, reason: 'no reference', latency: 0 } as const
  onVerdict({ ...shown, ...(window === 'answer' ? { window } : {}) })
  if (verdict === 'block' && mode === 'enforce') throw failure('content_blocked', { verdict: blockedBy.factuality })
}

/** The findings that reach the threshold. */
export const counting = ({ threshold }: CheckPolicy, { findings }: Inspection): Finding[] =>
  // Not `>=`: a threshold that is no number must not let everything pass.
  findings.filter(({ score }) => !(score < threshold))

/** Those of types that are not ignored, of a detector that ignores nothing, too. */
export const relevant = (policy: PiiPolicy, inspection: Inspection): Finding[] =>
  counting(policy, inspection).filter(({ type }) => !policy.ignore.includes(type))

/** Undefined where the detector fails and the policy lets failures pass. @throws safeguard_unavailable */
export const inspect = async <Request extends InspectionRequest>(
  name: CheckName,
  detector: { inspect(request: Request, call: Call): Promise<Inspection> } | undefined,
  policy: CheckPolicy,
  request: Request,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  guarded(name, policy, request.text, context, async (call) => {
    if (!detector) throw failure('capability_missing', { capability: name })
    const ask = async () => soundInspection(await detector.inspect(request, call), request.text)
    return context.source?.recurs && context.memory ? context.memory.recall(name, request, call.tenant, ask) : ask()
  })

/** The time for one text. */
export const budgetFor = (name: CheckName, policy: CheckPolicy, text: string, context: CheckContext): Budget =>
  new Budget(policy.budget, text, name, context.progress ?? new Progress())

/**
 * Runs a detector within its budget. Whatever goes wrong blocks, unless the policy lets failures pass.
 * @param text what the detector is asked about
 */
export const guarded = async <Result>(
  name: CheckName,
  policy: CheckPolicy,
  text: string,
  context: CheckContext,
  run: (call: Call) => Promise<Result>,
): Promise<Result | undefined> => {
  const started = performance.now()
  try {
    return await (context.budget ?? budgetFor(name, policy, text, context)).run(context.call, run)
  } catch (error) {
    context.call.signal.throwIfAborted()
    context.onFailure(name, error)
    const verdict = { check: name, stage: context.stage, verdict: 'unavailable', mode: policy.mode } as const
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
  name: CheckName,
  policy: CheckPolicy,
  text: string,
  context: CheckContext,
  before = '',
): Promise<readonly ReadingBehind[]> => {
  try {
    return await readingsInTime(before, text, context.call)
  } catch (error) {
    context.call.signal.throwIfAborted()
    await guarded(name, policy, text, context, () => Promise.reject(error as Error))
    return [{ ...asItStands(text), before }]
  }
}

export const report = (
  context: CheckContext,
  check: CheckName,
  { mode, window }: CheckPolicy,
  verdict: Verdict['verdict'],
  { score, detector, latency }: Inspection,
  found: readonly Pick<Finding, 'type' | 'start' | 'end' | 'score'>[],
) =>
  context.onVerdict({
    ...{ check, stage: context.stage, verdict, mode, score, detector, latency },
    ...(window === 'answer' ? { window } : {}),
    ...describeFindings(found, context.source),
  })
