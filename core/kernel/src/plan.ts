/** What a configuration would load, without fetching or loading anything. */

import { isSallyportError } from '@sallyport/core'
import type {
  Config,
  ModelEntry,
  RequiredFiles,
  CatalogueFacts,
  MemoryEstimate,
  BackendDefinition,
} from '@sallyport/core'
import { findBackend } from './plugins/load.js'
import type { LoadedPlugin } from './plugins/load.js'
import { specOf, fileRequest } from './models/configured-models.js'
import { placedModelError } from './plugins/placed-error.js'
import type { RunningKernel } from './running-kernel.js'

/** Looks for files without the network. */
export interface FileLocator {
  /** @throws model_files when the reference means nothing */
  locate(
    reference: string,
    options: { readonly wanted?: RequiredFiles; readonly formats?: readonly string[] },
  ): Promise<{
    readonly files: Readonly<Record<string, string>>
    readonly missing: readonly { readonly name: string; readonly size?: number }[]
    readonly entry?: CatalogueFacts
  }>
}

export interface ModelPlan {
  readonly id: string
  readonly backend: string
  readonly plugin: string
  /** Paths of what is there, by the names that the backend gives them. */
  readonly files: Readonly<Record<string, string>>
  /** What must be fetched first, with bytes where known. */
  readonly missing: readonly { readonly name: string; readonly size?: number }[]
  /** Absent when files are missing or the backend cannot tell. */
  readonly memory?: MemoryEstimate
  /** The types that a detector may find, where its backend can tell. */
  readonly entityTypes?: readonly string[]
  /** Why the model cannot be loaded as it is, with the place in the configuration that this is about. */
  readonly problem?: string
}

/** What plans are made with. */
export interface Planning {
  readonly plugins: readonly LoadedPlugin[]
  readonly locator: FileLocator
  /** Knows all models, and has loaded none. */
  readonly kernel: RunningKernel
}

/** Plans all models of a configuration: what the catalogue says of one may decide about those composed of it. */
export const planModels = async (config: Config, planning: Planning): Promise<ModelPlan[]> => {
  const drafts = Object.entries(config.models).map(([id, entry]) => locate(id, entry, config, planning))
  const located = await Promise.all(drafts)
  return Promise.all(located.map((draft) => examine(draft, config, planning)))
}

type Located = Awaited<ReturnType<FileLocator['locate']>>

/** A plan whose files have been looked for. */
interface Draft {
  readonly id: string
  readonly entry: ModelEntry
  readonly backend?: BackendDefinition
  readonly plugin?: LoadedPlugin
  readonly located: Located
  readonly problem?: string
}

/** Looks for the files; the kernel is told what a catalogue says of the model. */
const locate = async (
  id: string,
  entry: ModelEntry,
  config: Config,
  { plugins, locator, kernel }: Planning,
): Promise<Draft> => {
  const draft = { id, entry, ...findBackend(plugins, entry.backend), located: { files: {}, missing: [] } }
  const { backend } = draft
  if (!backend || backend.files === 'none') return draft
  try {
    const located = await locator.locate(entry.source ?? id, fileRequest(backend))
    if (located.entry) kernel.learn(id, located.entry)
    return { ...draft, located }
  } catch (error) {
    return { ...draft, problem: problemOf(error, draft, config) }
  }
}

/** Looks at the files where all are there. */
const examine = async (draft: Draft, config: Config, { kernel }: Planning): Promise<ModelPlan> => {
  const { id, entry, backend, plugin, located, problem } = draft
  const { files, missing } = located
  const plan = { id, backend: entry.backend, plugin: plugin?.definition.name ?? '', files, missing }
  if (problem !== undefined) return { ...plan, problem }
  if (missing.length) return plan
  try {
    const spec = specOf(id, entry, located)
    const memory = await backend?.estimate?.(spec)
    await backend?.check?.(spec, kernel, config.baseDirectory)
    const entityTypes = await backend?.entityTypes?.(spec, config.baseDirectory)
    return { ...plan, ...(memory && { memory }), ...(entityTypes && { entityTypes }) }
  } catch (error) {
    return { ...plan, problem: problemOf(error, draft, config) }
  }
}

/** @throws what is no error of the table */
const problemOf = (error: unknown, { id, entry }: Pick<Draft, 'id' | 'entry'>, config: Config): string => {
  const placed = placedModelError(error, id, entry, config)
  if (isSallyportError(placed)) return placed.message
  throw error
}
