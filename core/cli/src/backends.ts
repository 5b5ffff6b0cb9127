/** Which of the backends that this installation has can serve a model, and which files it needs of it. */

import { failure } from '@sallyport/core'
import type { Config, BackendDefinition, RequiredFiles } from '@sallyport/core'
import { reachablePlugins, importPlugin, fileRequest } from '@sallyport/kernel'
import { isOfFormat } from '@sallyport/store'
import type { CatalogueEntry, ModelStore, ResolveOptions } from '@sallyport/store'

/** Keys are the backends' names. */
type Backends = Readonly<Record<string, BackendDefinition>>

interface InstalledBackends {
  /** Backends of configured plugins win over those of plugins that are only installed. */
  readonly backends: Backends
  /** Why a plugin could not be imported. */
  readonly problems: readonly string[]
}

/** Collects the backends of configured and of installed plugins; those that cannot be imported are reported. */
export const installedBackends = async (config: PlannedConfig): Promise<InstalledBackends> => {
  const { plugins, baseDirectory } = config
  const uses = [...plugins.map(({ use }) => use), ...reachablePlugins(baseDirectory)]
  const imports = await Promise.allSettled([...new Set(uses)].map((use) => importPlugin(use, baseDirectory)))
  const backends: Record<string, BackendDefinition> = {}
  for (const each of imports)
    if (each.status === 'fulfilled')
      for (const [name, backend] of Object.entries(each.value.definition.backends ?? {})) backends[name] ??= backend
  return { backends, problems: imports.flatMap((each) => (each.status === 'rejected' ? messageOf(each.reason) : [])) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether the backend reads a file with this name, by its extension. */
const readsFile = ({ formats = [] }: BackendDefinition, weights: string): boolean =>
  formats.some((ending) => weights.toLowerCase().endsWith(ending))

/** Names of the backends that read files of a repository, by the names of the files. */
export const readersOf = (files: readonly string[], backends: Backends): string[] =>
  Object.entries(backends)
    .filter(([, backend]) => files.some((file) => readsFile(backend, file)))
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

const neededFiles = (files: 'weights' | RequiredFiles = 'weights'): string[] =>
  typeof files === 'string' ? ['model'] : Object.keys(files).filter((name) => !files[name]?.optional)

type PlannedConfig = Pick<Config, 'baseDirectory' | 'models' | 'plugins'>
type FileRequest = Pick<ResolveOptions, 'wanted' | 'formats'>

/** A backend that says which files of a repository it needs. */
type ChoosingBackend = BackendDefinition & { readonly files: RequiredFiles }

/** Decides which files of a reference `models pull` fetches: those that a start with it would fetch. */
export class PullPlanner {
  private importing: Promise<Backends> | undefined

  constructor(
    private readonly config: PlannedConfig,
    private readonly store: ModelStore,
  ) {}

  /** References of all configured models that have files. @throws config_invalid where none has */
  async configuredReferences(): Promise<string[]> {
    const catalogue = await this.store.planner.catalogue()
    const models = Object.entries(this.config.models)
    const references = models.flatMap(([id, { source }]) => source ?? (catalogue.has(id) ? id : []))
    if (references.length) return [...new Set(references)]
    const problem = 'the configuration has no model that is made of files: name one (sallyport models list)'
    throw failure('config_invalid', { problem })
  }

  /**
   * The files that the reference's backend needs: the configured one or else the first that can read the repository.
   * Empty where no backend chooses files. @throws model_files where the hub cannot be asked
   */
  async fileRequestFor(text: string, signal: AbortSignal): Promise<FileRequest> {
    const reference = await this.store.planner.parse(text)
    if (reference.kind !== 'hub') return {}
    const backends = await this.backends()
    const entry = Object.values(this.config.models).find(({ source }) => source === text)
    const named = entry && backends[entry.backend]
    if (named) return fileRequest(named)
    const { file } = reference
    for (const backend of Object.values(backends).filter(choosesFiles))
      if (file === undefined ? await this.store.has(reference, backend.files, signal) : readsFile(backend, file))
        return { wanted: backend.files }
    return {}
  }

  private backends(): Promise<Backends> {
    return (this.importing ??= installedBackends(this.config).then(({ backends }) => backends))
  }
}

const choosesFiles = (backend: BackendDefinition): backend is ChoosingBackend =>
  typeof backend.files === 'object' && backend.files['model'] !== undefined
