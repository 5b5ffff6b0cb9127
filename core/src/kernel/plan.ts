/** What a configuration would load, without fetching or loading anything. */

import type { Config, ModelEntry } from '../config/types.js'
import { isSallyportError } from '../errors/index.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { findBackend } from './boot-checks.js'
import type { Wanted } from '../store/wanted.js'
import type { Kernel } from './kernel-api.js'
import type { KnownOfModel, MemoryEstimate } from './model.js'
import { specOf, wantedBy } from './models.js'

/** Looks for files without the network. */
export interface FileLocator {
  /** @throws model_files when the reference means nothing */
  locate(
    reference: string,
    options: { readonly wanted?: Wanted; readonly formats?: readonly string[] },
  ): Promise<{
    readonly files: Readonly<Record<string, string>>
    readonly missing: readonly { readonly name: string; readonly size?: number }[]
    readonly entry?: KnownOfModel
  }>
}

export interface ModelPlan {
  readonly id: string
  readonly backend: string
  readonly plugin: string
  /** What must be fetched first, with bytes where known. */
  readonly missing: readonly { readonly name: string; readonly size?: number }[]
  /** Absent when files are missing or the backend cannot tell. */
  readonly memory?: MemoryEstimate
  /** Of a detector of personal information, where its backend can tell. */
  readonly entityTypes?: readonly string[]
  /** Why the model cannot be loaded as it is. */
  readonly problem?: string
}

/** What plans are made with. */
export interface Planning {
  readonly plugins: readonly LoadedPlugin[]
  readonly locator: FileLocator
  /** Knows all models, and has loaded none. */
  readonly kernel: Kernel
}

export const planModels = (config: Config, planning: Planning): Promise<ModelPlan[]> =>
  Promise.all(Object.entries(config.models).map(([id, entry]) => planModel(id, entry, planning)))

const planModel = async (id: string, entry: ModelEntry, { plugins, locator, kernel }: Planning): Promise<ModelPlan> => {
  const found = findBackend(plugins, entry.backend)
  const known = { id, backend: entry.backend, plugin: found?.plugin.definition.name ?? '' }
  if (!found) return { ...known, missing: [] }
  const { backend } = found
  try {
    const located: Located =
      backend.files === 'none' ? noFiles : await locator.locate(entry.source ?? id, wantedBy(backend))
    const { missing } = located
    if (missing.length) return { ...known, missing }
    const spec = specOf(id, entry, located)
    const memory = await backend.estimate?.(spec)
    await backend.check?.(spec, kernel)
    const entityTypes = backend.entityTypes?.(spec)
    return { ...known, missing, ...(memory ? { memory } : {}), ...(entityTypes ? { entityTypes } : {}) }
  } catch (error) {
    if (isSallyportError(error)) return { ...known, missing: [], problem: error.message }
    throw error
  }
}

type Located = Awaited<ReturnType<FileLocator['locate']>>

const noFiles: Located = { files: {}, missing: [] }
