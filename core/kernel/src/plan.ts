/** Plans what a configuration would load, without fetching or loading anything. */

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
import { specOf, fileRequest } from './models/configured-model.js'
import { locateModelError } from './plugins/error-location.js'
import type { PluginKernel } from './plugin-kernel.js'

/** Looks for files without the network. */
export interface FileLocator {
  /** @throws model_files for a reference that is invalid or unknown */
  locate(
    reference: string,
    options: { readonly wanted?: RequiredFiles; readonly formats?: readonly string[] },
  ): Promise<{
    readonly files: Readonly<Record<string, string>>
    readonly missing: readonly { readonly name: string; readonly size?: number }[]
    readonly catalogueEntry?: CatalogueFacts
  }>
}

export interface ModelPlan {
  readonly id: string
  readonly backend: string
  readonly plugin: string
  /** Paths of the files on this machine, by the names that the backend gives them. */
  readonly files: Readonly<Record<string, string>>
  /** Files that must be fetched first, with their sizes in bytes where known. */
  readonly missing: readonly { readonly name: string; readonly size?: number }[]
  /** Absent when files are missing, the backend gives no estimate, or there is a `problem`. */
  readonly memory?: MemoryEstimate
  /** The types that a detector may find, where its backend declares them and nothing is `missing` or a `problem`. */
  readonly entityTypes?: readonly string[]
  /** Why the model cannot be loaded. */
  readonly problem?: string
}

interface PlanContext {
  readonly plugins: readonly LoadedPlugin[]
  readonly locator: FileLocator
  /** A kernel that has registered all models and loaded none. */
  readonly kernel: PluginKernel
}

/** Plans all models of a configuration. All files are located first: a model may be composed of others. */
export const planModels = async (config: Config, context: PlanContext): Promise<ModelPlan[]> => {
  const drafts = Object.entries(config.models).map(([id, entry]) => draftOf(id, entry, config, context))
  const located = await Promise.all(drafts)
  return Promise.all(located.map((draft) => planOf(draft, config, context)))
}

type Located = Awaited<ReturnType<FileLocator['locate']>>

/** A plan whose files have been located, or could not be. */
interface Draft {
  readonly id: string
  readonly entry: ModelEntry
  readonly backend?: BackendDefinition
  readonly plugin?: LoadedPlugin
  readonly located: Located
  readonly problem?: string
}

/** Locates the files, and applies the facts of the catalogue to the model in the kernel. */
const draftOf = async (
  id: string,
  entry: ModelEntry,
  config: Config,
  { plugins, locator, kernel }: PlanContext,
): Promise<Draft> => {
  const draft = { id, entry, ...findBackend(plugins, entry.backend), located: { files: {}, missing: [] } }
  const { backend } = draft
  if (!backend || backend.files === 'none') return draft
  try {
    const located = await locator.locate(entry.source ?? id, fileRequest(backend))
    if (located.catalogueEntry) kernel.applyCatalogueFacts(id, located.catalogueEntry)
    return { ...draft, located }
  } catch (error) {
    return { ...draft, problem: problemOf(error, draft, config) }
  }
}

/** Checks the model and estimates its memory, if all files are there. */
const planOf = async (draft: Draft, config: Config, { kernel }: PlanContext): Promise<ModelPlan> => {
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

/** The message of an error of the table. @throws any other error */
const problemOf = (error: unknown, { id, entry }: Pick<Draft, 'id' | 'entry'>, config: Config): string => {
  const errorWithLocation = locateModelError(error, id, entry, config)
  if (isSallyportError(errorWithLocation)) return errorWithLocation.message
  throw error
}
