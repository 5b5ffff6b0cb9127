/** Which of the backends that this installation has can serve a model of the catalogue. */

import type { Config, BackendDefinition, Wanted } from '@sallyport/core'
import { reachablePlugins, importPlugin } from '@sallyport/kernel'
import { isOfFormat } from '@sallyport/store'
import type { CatalogueEntry } from '@sallyport/store'

/** By name. */
export type Backends = Readonly<Record<string, BackendDefinition>>

export interface InstalledBackends {
  /** By name; those of the configuration's plugins come first, and win over those that are only installed. */
  readonly backends: Backends
  /** Why a plugin could not be imported. */
  readonly problems: readonly string[]
}

/** Those of the configuration's plugins and of all that are installed. What cannot be imported has none. */
export const installedBackends = async ({
  plugins,
  baseDirectory,
}: Pick<Config, 'plugins' | 'baseDirectory'>): Promise<InstalledBackends> => {
  const uses = [...plugins.map(({ use }) => use), ...reachablePlugins(baseDirectory)]
  const imports = await Promise.allSettled([...new Set(uses)].map((use) => importPlugin(use, baseDirectory)))
  const backends: Record<string, BackendDefinition> = {}
  for (const each of imports)
    if (each.status === 'fulfilled')
      for (const [name, backend] of Object.entries(each.value.definition.backends ?? {})) backends[name] ??= backend
  return {
    backends,
    problems: imports.flatMap((each) => (each.status === 'rejected' ? messageOf(each.reason) : [])),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the name of the weights is one of those that the backend reads. */
export const readsNamed = ({ formats = [] }: BackendDefinition, weights: string): boolean =>
  formats.some((ending) => weights.toLowerCase().endsWith(ending))

/** Names of the backends that read files of a repository, as far as their names tell. */
export const readersOf = (files: readonly string[], backends: Backends): string[] =>
  Object.entries(backends)
    .filter(([, backend]) => files.some((file) => readsNamed(backend, file)))
    .map(([name]) => name)

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
