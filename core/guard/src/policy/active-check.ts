/** A check of a policy, with what it takes to run it. */

import { failure } from '@sallyport/core'
import type { Check, CheckPolicy, ReplaceMethod, Detector, SallyportError, SpanDetector } from '@sallyport/core'

export interface ActiveCheck<Service extends Detector = Detector> {
  /** How the policy calls it. */
  readonly name: string
  readonly definition: Check['check']
  readonly policy: CheckPolicy
  /** Undefined where no model provides it. */
  readonly detector: Service | undefined
}

/** One that finds spans. */
export interface SpanCheck extends ActiveCheck<SpanDetector> {
  readonly policy: CheckPolicy & { readonly action: 'block' | 'replace'; readonly method: ReplaceMethod }
}

/** What runs at each stage, in the order of the chain. */
export interface ActiveChecks {
  readonly input: readonly ActiveCheck[]
  readonly output: readonly ActiveCheck[]
}

/** Nothing is checked. */
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

/** Whether what the check finds is gone, so that what stood around it stands together. */
export const removes = ({ policy: { mode, action, method } }: ActiveCheck): boolean =>
  mode === 'enforce' && action === 'replace' && method === 'remove'

/** How often a text from which something was removed is looked through again before it is given up. */
export const maxRounds = 4

export const inMode = (mode: CheckPolicy['mode'], checks: readonly ActiveCheck[]): readonly ActiveCheck[] =>
  checks.filter(({ policy }) => policy.mode === mode)

/** Whether nothing may pass that one of these checks cannot look at. */
export const blocksOnFailure = (checks: readonly ActiveCheck[]): boolean =>
  checks.some(({ policy }) => policy.mode === 'enforce' && policy.onFailure === 'block')

export const blocked = ({ definition }: ActiveCheck): SallyportError =>
  failure('content_blocked', { verdict: definition.message })
