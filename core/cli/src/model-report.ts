/** What `check` says of models: what serves them, where their files come from, and the memory that they need. */

import type { Config } from '@sallyport/core'
import { findBackend, totalBytes, planModels } from '@sallyport/kernel'
import type { FileLocator, ModelPlan, PluginKernel, LoadedPlugin } from '@sallyport/kernel'
import { findProgram } from '@sallyport/kit/processes'
import { formatBytes } from '@sallyport/kit/text'
import type { FileSource, ModelStore } from '@sallyport/store'
import { colours } from './colours.js'

export interface ModelReport {
  readonly plan: ModelPlan
  readonly lines: readonly string[]
}

/** Reports on the configured models. Nothing is fetched or loaded. */
export const reportModels = async (
  config: Config,
  plugins: readonly LoadedPlugin[],
  { store, kernel }: { readonly store: ModelStore; readonly kernel: PluginKernel },
): Promise<ModelReport[]> => {
  const locate: FileLocator['locate'] = async (reference, options) => {
    const located = await store.locate(reference, options)
    store.requireFetchable(reference, located)
    return located
  }
  const plans = await planModels(config, { plugins, locator: { locate }, kernel })
  return Promise.all(plans.map(async (plan) => ({ plan, lines: await linesOf(plan, config, plugins, store) })))
}

const linesOf = async (
  plan: ModelPlan,
  { models }: Config,
  plugins: readonly LoadedPlugin[],
  store: ModelStore,
): Promise<string[]> => {
  const { id, files, missing, problem } = plan
  const origins = missing.length ? await originsOf(models[id]?.source ?? id, store) : () => undefined
  const backend = findBackend(plugins, plan.backend)?.backend
  const programs = backend?.programs ?? []
  const used = typeof programs === 'function' ? programs({ options: models[id]?.options ?? {} }) : programs
  const missingPrograms = used.filter(({ name }) => findProgram(name) === undefined)
  return [
    `${id}: backend ${plan.backend} of ${plan.plugin}`,
    ...Object.entries(files).map(([role, path]) => `  ${role}: ${path}`),
    ...missing.map((file) => `  to be fetched: ${describeMissing(file, origins(file.name))}`),
    ...describeMemory(plan, backend?.estimate !== undefined),
    ...missingPrograms.map(({ name, without }) => colours.yellow(`  ${name} is not installed: ${without}`)),
    ...(problem === undefined ? [] : [colours.red(`  problem: ${problem}`)]),
  ]
}

const describeMissing = ({ name, size }: ModelPlan['missing'][number], origin: string | undefined): string =>
  name + (size === undefined ? '' : ` (${formatBytes(size)})`) + (origin === undefined ? '' : ` from ${origin}`)

const describeMemory = ({ memory, missing }: ModelPlan, estimates: boolean): string[] => {
  if (!memory) return missing.length && estimates ? ['  memory: unknown until fetched'] : []
  const { weights, cache, compute } = memory
  return [
    `  memory: weights ${formatBytes(weights)} + cache ${formatBytes(cache)} + compute ${formatBytes(compute)} = ` +
      formatBytes(totalBytes(memory)),
  ]
}

/** Where each file of a reference can be fetched from, by the file's name. */
const originsOf = async (text: string, store: ModelStore): Promise<(name: string) => string | undefined> => {
  const reference = await store.planner.parse(text)
  if (reference.kind === 'path') return () => undefined
  const files = await store.planner.files(reference)
  const origins = new Map(files.map(({ name, sources }) => [name, sources.map(describeSource).join(', or else ')]))
  const repository = reference.kind === 'hub' ? `the hub, ${reference.repository}` : undefined
  return (name) => origins.get(name) ?? repository
}

const describeSource = (source: FileSource): string => {
  switch (source.kind) {
    case 'path':
      return source.path
    case 'hub':
      return `the hub, ${source.repository}`
    case 'parts':
      return source.parts.map(describeSource).join(' and ')
    case 'npm':
    case 'pypi':
      return `${source.kind} ${source.package}`
  }
}
