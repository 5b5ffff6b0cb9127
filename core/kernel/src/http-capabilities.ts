/** Capabilities of plugins that adapters serve over HTTP. */

import { declaredOnce } from '@sallyport/config'
import type { Capability, PluginDefinition } from '@sallyport/core'

/** @throws plugin_invalid for one that is declared in two ways, is not guarded, or takes the name of another */
export const httpCapabilities = (definitions: readonly PluginDefinition[]): readonly Capability[] =>
  declaredOnce(definitions, {
    noun: 'capability',
    isNamed: (capability): capability is Capability => capability.http !== undefined,
    declaration: ({ methods }) => methods,
    problemOf,
  })

const problemOf = ({ guarded }: Capability): string | undefined =>
  guarded === true ? undefined : 'is served over HTTP: it must be guarded'
