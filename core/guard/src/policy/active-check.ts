/** A check of a policy with its detector, ready to run. */

import { failure } from '@sallyport/core'
import type { Check, CheckPolicy, ReplaceMethod, Detector, SallyportError, SpanDetector } from '@sallyport/core'

export interface ActiveCheck<Service extends Detector = Detector> {
  /** The name of its entry in the policy. */
  readonly name: string
  readonly definition: Check['check']
  readonly policy: CheckPolicy
  /** Undefined where no model provides it. */
  readonly detector: Service | undefined
}

/** A check that finds spans. */
export interface SpanCheck extends ActiveCheck<SpanDetector> {
  readonly policy: CheckPolicy & { readonly action: 'block' | 'replace'; readonly method: ReplaceMethod }
}

/** The checks of each stage, in the order of the chain. */
export interface ActiveChecks {
  readonly input: readonly ActiveCheck[]
  readonly output: readonly ActiveCheck[]
}

export const noActiveChecks: ActiveChecks = { input: [], output: [] }

/** @param detector of the check's kind */
export const activeCheck = (
  name: string,
  { check: definition }: Check,
  policy: CheckPolicy,
  detector: Detector | undefined,
): ActiveCheck => {
  if (definition.kind !== 'spans') return { name, definition, policy, detector }
  const [method = 'category'] = definition.methods ?? []
  return { name, definition, policy: { action: 'block', method, ...policy }, detector }
}

export const findsSpans = (check: ActiveCheck): check is SpanCheck => check.definition.kind === 'spans'

/** Whether the check removes what it finds, so that the text before and after it is joined. */
export const removes = ({ policy: { mode, action, method } }: ActiveCheck): boolean =>
  mode === 'enforce' && action === 'replace' && method === 'remove'

/** How often a text is checked again after something was removed from it; then it is blocked. */
export const maxRounds = 4

export const inMode = (mode: CheckPolicy['mode'], checks: readonly ActiveCheck[]): readonly ActiveCheck[] =>
  checks.filter(({ policy }) => policy.mode === mode)

/** Whether a failure of one of these checks blocks. */
export const blocksOnFailure = (checks: readonly ActiveCheck[]): boolean =>
  checks.some(({ policy }) => policy.mode === 'enforce' && policy.onFailure === 'block')

export const blocked = ({ definition }: ActiveCheck): SallyportError =>
  failure('content_blocked', { verdict: definition.message })
