/** What a configuration would load, without fetching or loading anything. */

import type { Config, ModelEntry } from '../config/types.js'
import { isSallyportError } from '../errors/index.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { findBackend } from './boot-checks.js'
import type { Wanted } from '../store/wanted.js'
import type { CatalogueFacts, MemoryEstimate } from './model.js'
import { specOf, wantedBy } from './models.js'
import { placedModelError } from './placed-error.js'
import type { BackendDefinition } from './plugin.js'
import type { RunningKernel } from './running-kernel.js'

/** Looks for files without the network. */
export interface FileLocator {
  /** @throws model_files when the reference means nothing */
  locate(
    reference: string,
    options: { readonly wanted?: Wanted; readonly formats?: readonly string[] },
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
  /** Of a detector of personal information, where its backend can tell. */
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

/** Of all models of the configuration: what the catalogue says of one may decide about those that are composed of it. */
export const planModels = async (config: Config, { plugins, locator, kernel }: Planning): Promise<ModelPlan[]> => {
  const drafts = Object.entries(config.models).map(([id, entry]) => ({
    id,
    entry,
    ...findBackend(plugins, entry.backend),
  }))
  const located = await Promise.all(
    drafts.map(async (draft): Promise<Outcome<Located>> => {
      const { id, entry, backend } = draft
      if (!backend || backend.files === 'none') return { value: noFiles }
      const found = await outcomeOf(draft, config, () => locator.locate(entry.source ?? id, wantedBy(backend)))
      if (found.value?.entry) kernel.configured.learn(id, found.value.entry)
      return found
    }),
  )
  return Promise.all(
    drafts.map(async (draft, index): Promise<ModelPlan> => {
      const { id, entry, plugin } = draft
      const { value: { files, missing } = noFiles, ...failed } = located[index] ?? {}
      const plan = { id, backend: entry.backend, plugin: plugin?.definition.name ?? '', files, missing, ...failed }
      if (failed.problem !== undefined || missing.length) return plan
      const { value, ...refused } = await outcomeOf(draft, config, () =>
        examine(draft, located[index]?.value ?? noFiles, config, kernel),
      )
      return { ...plan, ...value, ...refused }
    }),
  )
}

interface Draft {
  readonly id: string
  readonly entry: ModelEntry
  readonly backend?: BackendDefinition
}

/** What a step came to, or why it failed. */
interface Outcome<Value> {
  readonly value?: Value
  readonly problem?: string
}

const outcomeOf = async <Value>(
  { id, entry }: Draft,
  config: Config,
  step: () => Promise<Value>,
): Promise<Outcome<Value>> => {
  try {
    return { value: await step() }
  } catch (error) {
    const placed = placedModelError(error, id, entry, config)
    if (isSallyportError(placed)) return { problem: placed.message }
    throw error
  }
}

const examine = async (
  { id, entry, backend }: Draft,
  located: Located,
  { baseDirectory }: Config,
  kernel: RunningKernel,
) => {
  const spec = specOf(id, entry, located)
  const memory = await backend?.estimate?.(spec)
  await backend?.check?.(spec, kernel, baseDirectory)
  const entityTypes = await backend?.entityTypes?.(spec, baseDirectory)
  return { ...(memory ? { memory } : {}), ...(entityTypes ? { entityTypes } : {}) }
}

type Located = Awaited<ReturnType<FileLocator['locate']>>

const noFiles: Located = { files: {}, missing: [] }
