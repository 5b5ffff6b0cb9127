/** Which files `models pull` fetches: those that a start with the same reference would fetch. */

import { failure } from '@sallyport/core'
import type { Config, BackendDefinition, Wanted } from '@sallyport/core'
import { wantedBy } from '@sallyport/kernel'
import type { ModelStore, ResolveOptions } from '@sallyport/store'
import { installedBackends, readsNamed } from './backends.js'
import type { Backends } from './backends.js'

type Configured = Pick<Config, 'baseDirectory' | 'models' | 'plugins'>
type Wants = Pick<ResolveOptions, 'wanted' | 'formats'>

/** A backend that says which files of a repository it needs. */
type ChoosingBackend = BackendDefinition & { readonly files: Wanted }

/** Finds out what belongs to a reference. */
export class PullPlanner {
  private importing: Promise<Backends> | undefined

  constructor(
    private readonly config: Configured,
    private readonly store: ModelStore,
  ) {}

  /** What the configured models are made of; those that are made of no files have neither a source nor an entry. */
  async configured(): Promise<string[]> {
    const catalogue = await this.store.planner.catalogue()
    const references = Object.entries(this.config.models).flatMap(
      ([id, { source }]) => source ?? (catalogue.has(id) ? id : []),
    )
    if (references.length) return [...new Set(references)]
    throw failure('config_invalid', {
      problem: 'the configuration has no model that is made of files: name one (sallyport models list)',
    })
  }

  /**
   * What the backend needs that the configuration names for the reference, or else one that can read what is there.
   * Nothing is known beside what is named where no backend chooses files.
   * @throws model_files where the hub cannot be asked
   */
  async wants(text: string, signal: AbortSignal): Promise<Wants> {
    const reference = await this.store.planner.parse(text)
    if (reference.kind !== 'hub') return {}
    const backends = await this.backends()
    const entry = Object.values(this.config.models).find(({ source }) => source === text)
    const named = entry && backends[entry.backend]
    if (named) return wantedBy(named)
    const { file } = reference
    for (const backend of Object.values(backends).filter(choosesFiles))
      if (file === undefined ? await this.store.has(reference, backend.files, signal) : readsNamed(backend, file))
        return { wanted: backend.files }
    return {}
  }

  private backends(): Promise<Backends> {
    return (this.importing ??= installedBackends(this.config).then(({ backends }) => backends))
  }
}

const choosesFiles = (backend: BackendDefinition): backend is ChoosingBackend =>
  typeof backend.files === 'object' && backend.files['model'] !== undefined
