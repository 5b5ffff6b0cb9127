import { stages } from '@sallyport/core'
import type { PolicyEntry, Config } from '@sallyport/core'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import { didYouMean } from '@sallyport/kit/text'
import type { ModelRegistry, RegisteredModel } from '../models/registry.js'

/** An entry of a policy, and its place in the configuration. */
interface LocatedEntry {
  readonly path: Path
  readonly entry: PolicyEntry
}

/** The entries of all policies, including the one for callers. */
export const locatedEntries = ({ policies, callerPolicy }: Config): readonly LocatedEntry[] =>
  [
    ...Object.entries(policies).map(([name, policy]) => [['policies', name], policy] as const),
    [['callerPolicy'], callerPolicy] as const,
  ].flatMap(([path, policy]) =>
    stages.flatMap((stage) =>
      Object.entries(policy[stage]).map(([name, entry]) => ({ path: [...path, stage, name], entry })),
    ),
  )

/**
 * The unknown detectors that policies name, and the entity types that they ignore but no detector of the entry finds.
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
  locatedEntries(config).flatMap(({ path, entry }) => {
    const models = providing(entry.check)
    const others = models.length ? `there are: ${models.join(', ')}` : 'there is none'
    return (entry.detectors ?? []).flatMap(({ model }, at) => {
      const problem = `"${model}" is not a model that provides ${entry.check} (${others})`
      return models.includes(model) ? [] : [{ path: [...path, 'detectors', at], problem }]
    })
  })

/** The types that each detector of an entry may find; undefined for a detector that does not declare them. */
type DetectorTypes = (entry: PolicyEntry) => readonly (readonly string[] | undefined)[]

/** Types that entries ignore but none of their detectors finds: a misspelt type would not be ignored. */
export const unknownIgnoredTypes = (config: Config, detectorTypesOf: DetectorTypes): Problem[] =>
  locatedEntries(config).flatMap(({ path, entry }) => {
    const types = detectorTypesOf(entry)
    if (types.includes(undefined)) return []
    const known = types.flatMap((each) => each ?? [])
    return (entry.ignore ?? []).flatMap((type, at) => {
      const problem = `no detector of this entry finds the entity type "${type}"${didYouMean(type, known)}`
      return known.includes(type) ? [] : [{ path: [...path, 'ignore', at], problem }]
    })
  })
