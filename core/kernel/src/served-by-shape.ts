/** Capabilities of plugins that adapters serve by what they say of themselves. */

import { isDeepStrictEqual } from 'node:util'
import { capabilities as ownCapabilities, failure } from '@sallyport/core'
import type { Capability, PluginDefinition } from '@sallyport/core'

/** @throws plugin_invalid for one that is declared in two ways, is not guarded, or takes the name of another */
export const servedByShape = (definitions: readonly PluginDefinition[]): readonly Capability[] => {
  const found = new Map<string, { readonly capability: Capability; readonly plugin: string }>()
  for (const definition of definitions)
    for (const capability of capabilitiesOf(definition)) {
      if (!capability.http) continue
      const problem = problemOf(capability) ?? conflict(capability, found.get(capability.name))
      if (problem !== undefined) throw failure('plugin_invalid', { plugin: definition.name, problem })
      if (!found.has(capability.name)) found.set(capability.name, { capability, plugin: definition.name })
    }
  return Array.from(found.values(), ({ capability }) => capability)
}

const capabilitiesOf = ({ backends = {}, models = {} }: PluginDefinition): readonly Capability[] => [
  ...Object.values(backends).flatMap(({ capabilities }) => capabilities),
  ...Object.values(models).flatMap(({ capability, also = [] }) => [capability, ...also.map((one) => one.capability)]),
]

const ownNames: ReadonlySet<string> = new Set(Object.values<Capability>(ownCapabilities).map(({ name }) => name))

const problemOf = ({ name, guarded }: Capability): string | undefined => {
  if (!/^[a-z][a-z\d-]{0,63}$/.test(name))
    return `its capability "${name}" must be called by up to 64 small letters, digits and "-", beginning with a letter`
  if (ownNames.has(name)) return `its capability "${name}" has the name of one of the core: give it another`
  return guarded === true ? undefined : `its capability "${name}" is served over HTTP: it must be guarded`
}

const conflict = (
  { name, methods }: Capability,
  known: { readonly capability: Capability; readonly plugin: string } | undefined,
): string | undefined =>
  known && !isDeepStrictEqual(known.capability.methods, methods)
    ? `its capability "${name}" is another one than that of ${known.plugin}: load one of them`
    : undefined
