/** An entry of a policy with its check and detector, ready to run. */

import { failure, restorableMethods } from '@sallyport/core'
import type { Check, PolicyEntry, ReplaceMethod, Detector, SallyportError, SpanDetector } from '@sallyport/core'

export interface ActiveCheck<Service extends Detector = Detector> {
  /** The name of its entry in the policy. */
  readonly name: string
  /** The name of the policy; absent for a check that a caller requests. */
  readonly policy?: string | undefined
  readonly definition: Check['check']
  readonly entry: PolicyEntry
  /** Undefined where no model provides it. */
  readonly detector: Service | undefined
}

/** A check that finds spans, or cuts passages out. */
export interface SpanCheck extends ActiveCheck<SpanDetector> {
  readonly entry: PolicyEntry & { readonly action: 'block' | 'replace'; readonly method: ReplaceMethod }
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
  entry: PolicyEntry,
  detector: Detector | undefined,
  policy?: string,
): ActiveCheck => {
  if (definition.kind !== 'spans' && !definition.methods) return { name, policy, definition, entry, detector }
  const [method = 'category'] = definition.methods ?? []
  return { name, policy, definition, entry: { action: 'block', method, ...entry }, detector }
}

export const findsSpans = (check: ActiveCheck): check is SpanCheck => check.definition.kind === 'spans'

/** Whether a check with a score cuts out what its detector reports, rather than block the text. */
export const cutsPassages = (check: ActiveCheck): check is SpanCheck =>
  check.definition.kind === 'score' && check.entry.mode === 'enforce' && check.entry.action === 'replace'

/** Whether what the check replaces is put back into the answer. */
export const restores = (check: ActiveCheck): check is SpanCheck => {
  const { mode, action, method, restore } = check.entry
  const isReplacing = findsSpans(check) && mode === 'enforce' && action === 'replace'
  return isReplacing && Boolean(restore) && method !== undefined && restorableMethods.includes(method)
}

/** Whether the check removes what it finds, so that the text before and after it is joined. */
export const removes = ({ entry: { mode, action, method } }: ActiveCheck): boolean =>
  mode === 'enforce' && action === 'replace' && method === 'remove'

/** Maximum number of times that a text is checked again after a removal; after that it is blocked. */
export const maxRechecks = 4

export const inMode = (mode: PolicyEntry['mode'], checks: readonly ActiveCheck[]): readonly ActiveCheck[] =>
  checks.filter(({ entry }) => entry.mode === mode)

/** Whether a failure of one of these checks blocks. */
export const blocksOnFailure = (checks: readonly ActiveCheck[]): boolean =>
  checks.some(({ entry }) => entry.mode === 'enforce' && entry.onFailure === 'block')

export const blocked = ({ definition }: ActiveCheck): SallyportError =>
  failure('content_blocked', { message: definition.message })
