/** Which of the backends that this installation has can serve a model of the catalogue. */

import type { Config } from '../config/types.js'
import type { BackendDefinition } from '../kernel/plugin.js'
import { installedPlugins } from '../plugins/discover.js'
import { importPlugin } from '../plugins/import.js'
import type { CatalogueEntry, Wanted } from '../store/index.js'

type Backends = Readonly<Record<string, BackendDefinition>>

/** By name: those of the configuration's plugins and of all that are installed. What cannot be imported has none. */
export const installedBackends = async ({
  plugins,
  baseDirectory,
}: Pick<Config, 'plugins' | 'baseDirectory'>): Promise<Backends> => {
  const uses = [
    ...plugins.map(({ use }) => use),
    ...installedPlugins(baseDirectory),
    // Plugins beside the core are found from a configuration that lies anywhere.
    ...installedPlugins(import.meta.dirname),
  ]
  const imports = await Promise.allSettled([...new Set(uses)].map((use) => importPlugin(use, baseDirectory)))
  const found = imports.map((result) => (result.status === 'fulfilled' ? result.value.definition.backends : undefined))
  return Object.assign({}, ...found) as Backends
}

/** Names of the backends that provide one of the model's capabilities and find the files that they need. */
export const backendsFor = (entry: CatalogueEntry, backends: Backends): string[] =>
  Object.keys(backends).filter((name) => canServe(backends[name], entry))

const canServe = (backend: BackendDefinition | undefined, entry: CatalogueEntry): boolean => {
  if (!backend || backend.files === 'none') return false
  const { capabilities, files, formats } = backend
  const names = Object.values(entry.files).map(({ name }) => name)
  return (
    capabilities.some(({ name }) => entry.capabilities.includes(name)) &&
    neededFiles(files).every((file) => file in entry.files) &&
    (!formats || names.some((name) => formats.some((ending) => name.endsWith(ending))))
  )
}

const neededFiles = (files: 'weights' | Wanted = 'weights'): string[] =>
  typeof files === 'string' ? ['model'] : Object.keys(files).filter((name) => !files[name]?.optional)
