/** What the backends and the models of plugins provide. */

import { isDeepStrictEqual } from 'node:util'
import { capabilities as ownCapabilities, failure } from '@sallyport/core'
import type { Capability, PluginDefinition } from '@sallyport/core'

/** A kind of capability that policies, requests or paths refer to by name. */
interface CapabilityKind<Named extends Capability> {
  /** `check` or `capability`, as errors call it. */
  readonly noun: string
  readonly includes: (capability: Capability) => capability is Named
  /** The part of a capability that must be equal where two plugins use the same name. */
  readonly declaration: (capability: Named) => unknown
  /** What is wrong with a capability apart from its name; messages continue after `its check "x"`. */
  readonly problemOf: (capability: Named) => string | undefined
}

/**
 * Each capability of the kind once, in the order of the plugins.
 * @throws plugin_invalid for an invalid name or capability, and for a name with two meanings, as models are found by it
 */
export const uniqueCapabilities = <Named extends Capability>(
  definitions: readonly PluginDefinition[],
  { noun, includes, declaration, problemOf }: CapabilityKind<Named>,
): readonly Named[] => {
  const found = new Map<string, { readonly capability: Named; readonly plugin: string }>()
  /** The plugins of capabilities of other kinds, by the capabilities' names. */
  const others = new Map(
    definitions.flatMap((definition) =>
      capabilitiesOf(definition).flatMap((one) => (includes(one) ? [] : [[one.name, definition.name] as const])),
    ),
  )
  for (const definition of definitions)
    for (const capability of capabilitiesOf(definition).filter(includes)) {
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

const coreNames: ReadonlySet<string> = new Set(Object.values<Capability>(ownCapabilities).map(({ name }) => name))

const nameProblem = ({ name }: Capability, others: ReadonlyMap<string, string>): string | undefined => {
  if (!/^[a-z][a-z\d-]{0,63}$/.test(name))
    return 'must be called by up to 64 small letters, digits and "-", beginning with a letter'
  if (coreNames.has(name)) return 'has the name of a capability of the core: give it another'
  const plugin = others.get(name)
  return plugin === undefined ? undefined : `has the name of a capability of ${plugin}: give it another`
}
