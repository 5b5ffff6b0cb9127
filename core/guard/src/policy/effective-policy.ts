/** Which checks hold for one call: the operator's policies joined with what the caller adds. */

import { isDeepStrictEqual } from 'node:util'
import type { CallerSafeguards, CheckPolicy, Checks, Stage, Wish } from '@sallyport/core'
import type { ActiveCheck, ActiveChecks } from './active-check.js'

/** A check in shadow mode neither blocks nor relaxes: where one is enforced, that one holds as it is. */
const stricter = (a: CheckPolicy, b: CheckPolicy): CheckPolicy => {
  if (a.mode !== b.mode) return a.mode === 'enforce' ? a : b
  return {
    ...a,
    onFailure: a.onFailure === 'block' ? 'block' : b.onFailure,
    threshold: Math.min(a.threshold, b.threshold),
    ...(a.window === 'answer' || b.window === 'answer' ? { window: 'answer' } : {}),
    ...(a.action === 'block' || b.action === 'block' ? { action: 'block' } : {}),
    ...(a.ignore || b.ignore ? { ignore: a.ignore?.filter((type) => b.ignore?.includes(type)) ?? [] } : {}),
    ...(a.unreferenced === 'block' || b.unreferenced === 'block' ? { unreferenced: 'block' } : {}),
  }
}

/**
 * Whether both ask the same of the same detectors, so that one can do for both. Where a policy names its detectors, their
 * scores are on the scale of its threshold.
 */
const isSame = (a: ActiveCheck, b: ActiveCheck): boolean =>
  a.name === b.name &&
  a.policy.check === b.policy.check &&
  a.policy.combine === b.policy.combine &&
  isDeepStrictEqual(a.policy.detectors, b.policy.detectors) &&
  (!a.policy.detectors || a.policy.threshold === b.policy.threshold) &&
  isDeepStrictEqual(a.policy.options, b.policy.options)

/**
 * What holds where both lists do, in the order of the chain: of checks that do the same the strictest of both, where
 * both replace by the first one's method; all others have to pass.
 */
export const joinChecks = (a: readonly ActiveCheck[], b: readonly ActiveCheck[]): readonly ActiveCheck[] => {
  const joined = a.map((check) => {
    const other = b.find((one) => isSame(check, one))
    return other ? { ...check, policy: stricter(check.policy, other.policy) } : check
  })
  const added = b.filter((check) => !a.some((one) => isSame(one, check)))
  return [...joined, ...added].sort((one, other) => one.definition.order - other.definition.order)
}

export const joinPolicies = (a: ActiveChecks, b: ActiveChecks): ActiveChecks => ({
  input: joinChecks(a.input, b.input),
  output: joinChecks(a.output, b.output),
})

/** A caller cannot ask for less than enforcement, nor for a check that passes when it fails. */
const strict = { mode: 'enforce', onFailure: 'block' } as const

/**
 * What the caller asks for, as the checks of a stage.
 * @param templates the checks that the configuration has for callers; all that are asked for are among them
 */
export const callerChecks = (wishes: CallerSafeguards, templates: { readonly [Name in Stage]: Checks }) => ({
  input: checksOf(wishes.input, templates.input),
  output: checksOf(wishes.output, templates.output),
})

const checksOf = (wishes: Readonly<Record<string, Wish>> = {}, templates: Checks): Checks =>
  Object.fromEntries(
    Object.entries(wishes).flatMap(([name, wish]) => {
      const template = templates[name]
      return wish === false || !template ? [] : [[name, { ...template, ...strict, ...detailsOf(wish) }] as const]
    }),
  )

const detailsOf = (wish: Exclude<Wish, false>): Partial<CheckPolicy> => {
  if (wish === true) return {}
  const { action, method, ignore = [] } = typeof wish === 'string' ? { action: wish } : wish
  return { action, ...(method === undefined ? {} : { method }), ignore }
}
