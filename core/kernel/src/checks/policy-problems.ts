/** Finds the detectors and entity types that policies name but nothing provides. */

import { stages } from '@sallyport/core'
import type { CheckPolicy, Config } from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

/** A check of a policy, and its place in the configuration. */
export interface ConfiguredCheck {
  readonly path: Path
  readonly policy: CheckPolicy
}

/** The checks of all policies, including the one for callers. */
export const configuredChecks = ({ policies, callerPolicy }: Config): readonly ConfiguredCheck[] =>
  [
    ...Object.entries(policies).map(([name, policy]) => [['policies', name], policy] as const),
    [['callerPolicy'], callerPolicy] as const,
  ].flatMap(([path, policy]) =>
    stages.flatMap((stage) =>
      Object.entries(policy[stage]).map(([entry, check]) => ({ path: [...path, stage, entry], policy: check })),
    ),
  )

/**
 * The detectors and entity types that policies name but nothing provides.
 * @param typesOf gives the types that a detector finds, where it is not loaded
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

/** Models that policies name as detectors of a check which they do not provide. */
const unknownDetectors = (config: Config, providing: (check: string) => readonly string[]): Problem[] =>
  configuredChecks(config).flatMap(({ path, policy }) => {
    const models = providing(policy.check)
    const others = models.length ? `there are: ${models.join(', ')}` : 'there is none'
    return (policy.detectors ?? []).flatMap(({ model }, at) => {
      const problem = `"${model}" is no model that provides ${policy.check} (${others})`
      return models.includes(model) ? [] : [{ path: [...path, 'detectors', at], problem }]
    })
  })

/** The types that each detector of a policy's check may find; undefined for a detector that does not declare them. */
export type TypesOf = (policy: CheckPolicy) => readonly (readonly string[] | undefined)[]

/** Types that policies ignore but no detector finds: a misspelt type would not be ignored. */
export const unknownIgnoredTypes = (config: Config, typesOf: TypesOf): Problem[] =>
  configuredChecks(config).flatMap(({ path, policy }) => {
    const types = typesOf(policy)
    if (types.includes(undefined)) return []
    const known = types.flatMap((each) => each ?? [])
    return (policy.ignore ?? []).flatMap((type, at) => {
      const problem = `"${type}" is no entity type${didYouMean(type, known)}`
      return known.includes(type) ? [] : [{ path: [...path, 'ignore', at], problem }]
    })
  })
