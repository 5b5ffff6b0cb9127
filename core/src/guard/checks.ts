/** Runs one detector under one check policy. */

import type { Call } from '../capabilities/call.js'
import type { PiiCapability, Replacement } from '../capabilities/pii.js'
import type { Inspection, InspectionRequest, Safeguard } from '../capabilities/safeguard.js'
import { failure } from '../errors/index.js'
import { untilAborted } from '../kernel/until-aborted.js'
import type { CheckPolicy, PiiPolicy, Verdict } from './policy.js'
import { rewriteStructure } from './structure.js'

/** Finds the detector for a check; undefined when no plugin provides it. */
export interface Detectors {
  readonly injection: Safeguard | undefined
  readonly pii: PiiCapability | undefined
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
}

/** The fixed texts of the interface for a blocked request. */
const blockedBy: Record<CheckName, string> = {
  injection: 'prompt injection detected',
  pii: 'pii detected',
  toxicity: 'failed toxicity check',
  factuality: 'failed factuality check',
}

/** Blocks when the score reaches the threshold. @throws content_blocked, safeguard_unavailable */
export const checkScore = async (
  name: Exclude<CheckName, 'pii'>,
  policy: CheckPolicy,
  request: InspectionRequest,
  context: CheckContext,
): Promise<void> => {
  const inspection = await inspect(name, context.detectors[name], policy, request, context)
  if (!inspection) return
  // Not `>=`: a threshold that is no number must not let everything pass.
  const block = !(inspection.score < policy.threshold)
  report(context, name, policy, block ? 'block' : 'pass', inspection)
  if (block && policy.mode === 'enforce') throw failure('content_blocked', { verdict: blockedBy[name] })
}

/**
 * Blocks or replaces; returns the text that may go on. JSON is replaced from the inside, so that it stays JSON.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkPii = async (policy: PiiPolicy, text: string, context: CheckContext): Promise<string> =>
  (await rewriteStructure(
    text,
    (inner) => checkPii(policy, inner, context),
    () => failure('content_blocked', { verdict: blockedBy.pii }),
  )) ?? checkPlain(policy, text, context)

const checkPlain = async (policy: PiiPolicy, text: string, context: CheckContext): Promise<string> => {
  const detector = context.detectors.pii
  const inspection = await inspect('pii', detector, policy, { text }, context)
  if (!inspection || !detector) return text
  const findings = inspection.findings.filter(
    ({ type, score }) => !(score < policy.threshold) && !policy.ignore.includes(type),
  )
  if (!findings.length) {
    report(context, 'pii', policy, 'pass', inspection)
    return text
  }
  report(context, 'pii', policy, policy.action, inspection)
  if (policy.mode === 'shadow') return text
  if (policy.action === 'block') throw failure('content_blocked', { verdict: blockedBy.pii })
  const replaced = await guarded('pii', policy, context, (call) =>
    detector.replace({ text, findings, method: policy.method }, call).then(soundReplacement),
  )
  if (!replaced) throw failure('safeguard_unavailable', { name: 'pii' })
  return replaced.text
}

const inspect = async (
  name: CheckName,
  detector: Safeguard | undefined,
  policy: CheckPolicy,
  request: InspectionRequest,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  guarded(name, policy, context, async (call) => {
    if (!detector) throw failure('capability_missing', { capability: name })
    return soundInspection(await detector.inspect(request, call), request.text)
  })

/** Runs a detector within its budget. Whatever goes wrong blocks, unless the policy lets failures pass. */
const guarded = async <Result>(
  name: CheckName,
  policy: CheckPolicy,
  context: CheckContext,
  run: (call: Call) => Promise<Result>,
): Promise<Result | undefined> => {
  const started = performance.now()
  try {
    return await withBudget(policy.budget, context.call, run)
  } catch (error) {
    context.call.signal.throwIfAborted()
    context.onFailure(name, error)
    const verdict = { check: name, stage: context.stage, verdict: 'unavailable', mode: policy.mode } as const
    context.onVerdict({ ...verdict, latency: performance.now() - started })
    if (policy.mode === 'enforce' && policy.onFailure === 'block')
      throw failure('safeguard_unavailable', { name }, { cause: error })
    return undefined
  }
}

const withBudget = async <Result>(budget: number, call: Call, run: (call: Call) => Promise<Result>) => {
  const controller = new AbortController()
  const expire = setTimeout(() => controller.abort(failure('deadline_exceeded', { limit: `${budget} ms` })), budget)
  const signal = AbortSignal.any([call.signal, controller.signal])
  try {
    return await untilAborted(
      Promise.resolve().then(() => run({ ...call, signal })),
      signal,
    )
  } finally {
    clearTimeout(expire)
  }
}

const isScore = (score: unknown): boolean => typeof score === 'number' && score >= 0 && score <= 1

/** Detectors run in other processes and on other servers: types prove nothing about what they answer. */
const soundInspection = (inspection: Inspection, text: string): Inspection => {
  const sound =
    isScore(inspection.score) &&
    inspection.findings.every(
      ({ start, end, score }) => isScore(score) && start >= 0 && start <= end && end <= text.length,
    )
  if (!sound) throw new TypeError('the detector answered with scores outside 0..1 or spans outside the text')
  return inspection
}

const soundReplacement = (replacement: Replacement): Replacement => {
  if (typeof replacement.text !== 'string') throw new TypeError('the detector answered without a text')
  return replacement
}

const report = (
  context: CheckContext,
  check: CheckName,
  { mode }: CheckPolicy,
  verdict: Verdict['verdict'],
  { score, detector, latency }: Inspection,
) => context.onVerdict({ check, stage: context.stage, verdict, mode, score, detector, latency })
