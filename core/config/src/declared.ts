/** What the backends and the models of plugins provide. */

import { isDeepStrictEqual } from 'node:util'
import { capabilities as ownCapabilities, failure } from '@sallyport/core'
import type { Capability, PluginDefinition } from '@sallyport/core'

/** What is asked of capabilities that policies, requests or paths name. */
export interface Naming<Named extends Capability> {
  /** `check` or `capability`, as errors call it. */
  readonly noun: string
  readonly isNamed: (capability: Capability) => capability is Named
  /** What is equal where two plugins mean the same by a name. */
  readonly declaration: (capability: Named) => unknown
  /** What is wrong with one, beside its name; `its check "x"` stands before it. */
  readonly problemOf: (capability: Named) => string | undefined
}

/**
 * Each once, in the order of the plugins.
 * @throws plugin_invalid for a name that cannot be one, for what is wrong, and for one name with two meanings: models
 * are found by the names of what they provide
 */
export const declaredOnce = <Named extends Capability>(
  definitions: readonly PluginDefinition[],
  { noun, isNamed, declaration, problemOf }: Naming<Named>,
): readonly Named[] => {
  const found = new Map<string, { readonly capability: Named; readonly plugin: string }>()
  const others = new Map(definitions.flatMap((definition) => othersOf(definition, isNamed)))
  for (const definition of definitions)
    for (const capability of capabilitiesOf(definition).filter(isNamed)) {
      const known = found.get(capability.name)
      const problem =
        nameProblem(capability, others) ??
        problemOf(capability) ??
        (known && !isDeepStrictEqual(declaration(known.capability), declaration(capability))
          ? `is another one than that of ${known.plugin}: load one of them`
          : undefined)
      const { name: plugin } = definition
      if (problem !== undefined)
        throw failure('plugin_invalid', { plugin, problem: `its ${noun} "${capability.name}" ${problem}` })
      if (!known) found.set(capability.name, { capability, plugin })
    }
  return Array.from(found.values(), ({ capability }) => capability)
}

const capabilitiesOf = ({ backends = {}, models = {} }: PluginDefinition): readonly Capability[] => [
  ...Object.values(backends).flatMap(({ capabilities }) => capabilities),
  ...Object.values(models).flatMap(({ capability, also = [] }) => [capability, ...also.map((one) => one.capability)]),
]

/** The plugin of each capability that is of another sort, by the capability's name. */
const othersOf = (definition: PluginDefinition, isNamed: (capability: Capability) => boolean): [string, string][] =>
  capabilitiesOf(definition)
    .filter((capability) => !isNamed(capability))
    .map(({ name }) => [name, definition.name])

const ownNames: ReadonlySet<string> = new Set(Object.values<Capability>(ownCapabilities).map(({ name }) => name))

const nameProblem = ({ name }: Capability, others: ReadonlyMap<string, string>): string | undefined => {
  if (!/^[a-z][a-z\d-]{0,63}$/.test(name))
    return 'must be called by up to 64 small letters, digits and "-", beginning with a letter'
  if (ownNames.has(name)) return 'has the name of a capability of the core: give it another'
  const plugin = others.get(name)
  return plugin === undefined ? undefined : `has the name of a capability of ${plugin}: give it another`
}
