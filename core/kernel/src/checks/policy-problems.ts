/** What policies name and there is not. */

import { stages } from '@sallyport/core'
import type { CheckPolicy, Config } from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

/** A check of a policy, and where the configuration has it. */
export interface WrittenCheck {
  readonly path: Path
  readonly policy: CheckPolicy
}

/** The checks of all policies, and of the one for callers. */
export const writtenChecks = ({ policies, callerPolicy }: Config): readonly WrittenCheck[] =>
  [
    ...Object.entries(policies).map(([name, policy]) => [['policies', name], policy] as const),
    [['callerPolicy'], callerPolicy] as const,
  ].flatMap(([path, policy]) =>
    stages.flatMap((stage) =>
      Object.entries(policy[stage]).map(([entry, check]) => ({ path: [...path, stage, entry], policy: check })),
    ),
  )

/**
 * Detectors and types that policies name and there are not.
 * @param typesOf what a detector may find, where it is not loaded
 */
export const policyProblems = (
  config: Config,
  registry: ModelRegistry,
  typesOf: (id: string) => readonly string[] | undefined,
): Problem[] => {
  const namesOf = (check: string) => registry.providing({ name: check }).flatMap(({ id, aliases }) => [id, ...aliases])
  const types = (model: RegisteredModel) => registry.describe(model).entityTypes ?? typesOf(model.id)
  return [
    ...unknownDetectors(config, namesOf),
    ...unknownIgnoredTypes(config, (policy) => registry.detectorsOf(policy).map((model) => model && types(model))),
  ]
}

/** Detectors that policies name, and that provide no such check. */
const unknownDetectors = (config: Config, providing: (check: string) => readonly string[]): Problem[] =>
  writtenChecks(config).flatMap(({ path, policy }) => {
    const able = providing(policy.check)
    const others = able.length ? `there are: ${able.join(', ')}` : 'there is none'
    return (policy.detectors ?? []).flatMap(({ model }, at) => {
      const problem = `"${model}" is no model that provides ${policy.check} (${others})`
      return able.includes(model) ? [] : [{ path: [...path, 'detectors', at], problem }]
    })
  })

/** The types that each detector of a check of a policy may find; undefined for one that does not say. */
export type TypesOf = (policy: CheckPolicy) => readonly (readonly string[] | undefined)[]

/** Types that policies ignore, and that no detector finds: what is misspelt would be found all the same. */
export const unknownIgnoredTypes = (config: Config, typesOf: TypesOf): Problem[] =>
  writtenChecks(config).flatMap(({ path, policy }) => {
    const types = typesOf(policy)
    if (types.includes(undefined)) return []
    const known = types.flatMap((each) => each ?? [])
    return (policy.ignore ?? []).flatMap((type, at) => {
      const problem = `"${type}" is no entity type${didYouMean(type, known)}`
      return known.includes(type) ? [] : [{ path: [...path, 'ignore', at], problem }]
    })
  })
