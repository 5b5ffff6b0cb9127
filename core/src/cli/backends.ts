/** Which of the backends that this installation has can serve a model of the catalogue. */

import type { Config } from '../config/types.js'
import type { BackendDefinition } from '../kernel/plugin.js'
import { installedPlugins } from '../plugins/discover.js'
import { importPlugin } from '../plugins/import.js'
import { isOfFormat } from '../store/index.js'
import type { CatalogueEntry, Wanted } from '../store/index.js'

type Backends = Readonly<Record<string, BackendDefinition>>

export interface InstalledBackends {
  /** By name; the configuration's plugins win over those that are only installed. */
  readonly backends: Backends
  /** Why a plugin could not be imported. */
  readonly problems: readonly string[]
}

/** Those of the configuration's plugins and of all that are installed. What cannot be imported has none. */
export const installedBackends = async ({
  plugins,
  baseDirectory,
}: Pick<Config, 'plugins' | 'baseDirectory'>): Promise<InstalledBackends> => {
  const uses = [
    ...plugins.map(({ use }) => use),
    ...installedPlugins(baseDirectory),
    // Plugins beside the core are found from a configuration that lies anywhere.
    ...installedPlugins(import.meta.dirname),
  ]
  const imports = await Promise.allSettled([...new Set(uses)].map((use) => importPlugin(use, baseDirectory)))
  const found = imports.flatMap((each): Backends[] =>
    each.status === 'fulfilled' ? [each.value.definition.backends ?? {}] : [],
  )
  return {
    backends: Object.assign({}, ...found.reverse()) as Backends,
    problems: imports.flatMap((each) => (each.status === 'rejected' ? messageOf(each.reason) : [])),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Names of the backends that provide one of the model's capabilities and find the files that they need. */
export const backendsFor = (entry: CatalogueEntry, backends: Backends): string[] =>
  Object.keys(backends).filter((name) => canServe(backends[name], entry))

const canServe = (backend: BackendDefinition | undefined, entry: CatalogueEntry): boolean => {
  if (!backend || backend.files === 'none') return false
  const { capabilities, files, formats } = backend
  const { model, ...others } = entry.files
  const names = (model ? [model] : Object.values(others)).map(({ name }) => name)
  return (
    capabilities.some(({ name }) => entry.capabilities.includes(name)) &&
    neededFiles(files).every((file) => file in entry.files) &&
    (!formats || names.some((name) => isOfFormat(name, formats)))
  )
}

const neededFiles = (files: 'weights' | Wanted = 'weights'): string[] =>
  typeof files === 'string' ? ['model'] : Object.keys(files).filter((name) => !files[name]?.optional)
