/** The policy of one call: the operator's policies joined with the checks that the caller requests. */

import { isDeepStrictEqual } from 'node:util'
import type { RequestedChecks, PolicyEntry, PolicyEntries, Stage, RequestedCheck } from '@sallyport/core'
import type { ActiveCheck, ActiveChecks } from './active-check.js'

/**
 * Where only one of the two is enforced, it is used unchanged: a check in shadow mode must not change what is enforced.
 */
const stricter = (a: PolicyEntry, b: PolicyEntry): PolicyEntry => {
  if (a.mode !== b.mode) return a.mode === 'enforce' ? a : b
  const restore = bothRestore(a.restore, b.restore)
  return {
    ...a,
    ...(restore === undefined ? {} : { restore }),
    onFailure: a.onFailure === 'block' ? 'block' : b.onFailure,
    threshold: Math.min(a.threshold, b.threshold),
    ...(a.window === 'answer' || b.window === 'answer' ? { window: 'answer' } : {}),
    ...(a.action === 'block' || b.action === 'block' ? { action: 'block' } : {}),
    ...(a.ignore || b.ignore ? { ignore: a.ignore?.filter((type) => b.ignore?.includes(type)) ?? [] } : {}),
    ...(a.unreferenced === 'block' || b.unreferenced === 'block' ? { unreferenced: 'block' } : {}),
  }
}

/** What both restore. An entry that says nothing about it leaves it to the other. */
const bothRestore = (a: PolicyEntry['restore'], b: PolicyEntry['restore']): PolicyEntry['restore'] => {
  if (a === undefined || b === undefined) return a ?? b
  if (typeof a === 'object' && typeof b === 'object')
    return { servers: a.servers.filter((server) => b.servers.includes(server)) }
  return Boolean(a && b)
}

/**
 * Whether both run the same detectors with the same options, so that they can be merged. Scores of detectors that a
 * policy names are on the scale of its threshold, so the thresholds must be equal, too.
 */
const runsSameDetectors = (a: ActiveCheck, b: ActiveCheck): boolean =>
  a.name === b.name &&
  a.entry.check === b.entry.check &&
  a.entry.combine === b.entry.combine &&
  isDeepStrictEqual(a.entry.detectors, b.entry.detectors) &&
  (!a.entry.detectors || a.entry.threshold === b.entry.threshold) &&
  isDeepStrictEqual(a.entry.options, b.entry.options)

/**
 * Joins two lists of checks, in the order of the chain. Of two checks that run the same detectors, the stricter
 * settings hold, with the method and the budget of the first; all others are added.
 */
export const joinChecks = (a: readonly ActiveCheck[], b: readonly ActiveCheck[]): readonly ActiveCheck[] => {
  const joined = a.map((check) => {
    const other = b.find((one) => runsSameDetectors(check, one))
    return other ? { ...check, entry: stricter(check.entry, other.entry) } : check
  })
  const added = b.filter((check) => !a.some((one) => runsSameDetectors(one, check)))
  return [...joined, ...added].sort((one, other) => one.definition.order - other.definition.order)
}

export const joinPolicies = (a: ActiveChecks, b: ActiveChecks): ActiveChecks => ({
  input: joinChecks(a.input, b.input),
  output: joinChecks(a.output, b.output),
})

/** Callers cannot request shadow mode, nor that a failing check passes. */
const strict = { mode: 'enforce', onFailure: 'block' } as const

/**
 * The checks that the caller requests, for each stage.
 * @param callerPolicy the checks that the configuration offers to callers; all requested checks are among them
 */
export const callerChecks = (
  requested: RequestedChecks,
  callerPolicy: { readonly [Name in Stage]: PolicyEntries },
) => ({
  input: checksOf(requested.input, callerPolicy.input),
  output: checksOf(requested.output, callerPolicy.output),
})

const checksOf = (requested: Readonly<Record<string, RequestedCheck>> = {}, entries: PolicyEntries): PolicyEntries =>
  Object.fromEntries(
    Object.entries(requested).flatMap(([name, check]) => {
      const entry = entries[name]
      return !check || !entry ? [] : [[name, { ...entry, ...strict, ...overridesOf(check) }] as const]
    }),
  )

const overridesOf = (check: Exclude<RequestedCheck, false>): Partial<PolicyEntry> => {
  if (check === true) return {}
  const { action, method, ignore = [] } = typeof check === 'string' ? { action: check } : check
  return { action, ...(method === undefined ? {} : { method }), ignore }
}
