/** Finds the detectors and entity types that policies name but nothing provides. */

import { stages } from '@sallyport/core'
import type { PolicyEntry, Config } from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

/** A check of a policy, and its place in the configuration. */
export interface ConfiguredCheck {
  readonly path: Path
  readonly entry: PolicyEntry
}

/** The checks of all policies, including the one for callers. */
export const configuredChecks = ({ policies, callerPolicy }: Config): readonly ConfiguredCheck[] =>
  [
    ...Object.entries(policies).map(([name, policy]) => [['policies', name], policy] as const),
    [['callerPolicy'], callerPolicy] as const,
  ].flatMap(([path, policy]) =>
    stages.flatMap((stage) =>
      Object.entries(policy[stage]).map(([name, entry]) => ({ path: [...path, stage, name], entry })),
    ),
  )

/**
 * The detectors and entity types that policies name but nothing provides.
 * @param entityTypesOf returns the types that a detector finds, for detectors that are not loaded
 */
export const policyProblems = (
  config: Config,
  registry: ModelRegistry,
  entityTypesOf: (id: string) => readonly string[] | undefined,
): Problem[] => {
  const namesOf = (check: string) => registry.providing({ name: check }).flatMap(({ id, aliases }) => [id, ...aliases])
  const types = (model: RegisteredModel) => registry.describe(model).entityTypes ?? entityTypesOf(model.id)
  return [
    ...unknownDetectors(config, namesOf),
    ...unknownIgnoredTypes(config, (entry) => registry.detectorsOf(entry).map((model) => model && types(model))),
  ]
}

/** The detectors that policies name although no model of that name provides the check. */
const unknownDetectors = (config: Config, providing: (check: string) => readonly string[]): Problem[] =>
  configuredChecks(config).flatMap(({ path, entry }) => {
    const models = providing(entry.check)
    const others = models.length ? `there are: ${models.join(', ')}` : 'there is none'
    return (entry.detectors ?? []).flatMap(({ model }, at) => {
      const problem = `"${model}" is not a model that provides ${entry.check} (${others})`
      return models.includes(model) ? [] : [{ path: [...path, 'detectors', at], problem }]
    })
  })

/** The types that each detector of a policy's check may find; undefined for a detector that does not declare them. */
export type DetectorTypes = (entry: PolicyEntry) => readonly (readonly string[] | undefined)[]

/** Types that policies ignore but no detector finds: a misspelt type would not be ignored. */
export const unknownIgnoredTypes = (config: Config, detectorTypesOf: DetectorTypes): Problem[] =>
  configuredChecks(config).flatMap(({ path, entry }) => {
    const types = detectorTypesOf(entry)
    if (types.includes(undefined)) return []
    const known = types.flatMap((each) => each ?? [])
    return (entry.ignore ?? []).flatMap((type, at) => {
      const problem = `"${type}" is not an entity type${didYouMean(type, known)}`
      return known.includes(type) ? [] : [{ path: [...path, 'ignore', at], problem }]
    })
  })
