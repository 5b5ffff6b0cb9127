/** What `check` says of models: what serves them, where their files come from, and the memory that they need. */

import type { Config, ModelEntry } from '../config/types.js'
import { findBackend } from '../kernel/boot-checks.js'
import type { Kernel } from '../kernel/kernel-api.js'
import { totalBytes } from '../kernel/memory.js'
import { planModels } from '../kernel/plan.js'
import type { ModelPlan } from '../kernel/plan.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { formatBytes } from '../store/index.js'
import type { FileSource, LocatedModel, ModelStore } from '../store/index.js'
import { colours } from './colours.js'
import { referenceProblem } from './references.js'

export interface ModelReport {
  readonly plan: ModelPlan
  readonly lines: readonly string[]
}

/** Where it is looked: the kernel has loaded nothing. */
interface Sources {
  readonly store: ModelStore
  readonly kernel: Kernel
}

/** Of the configured models. Nothing is fetched. */
export const reportModels = (
  config: Config,
  plugins: readonly LoadedPlugin[],
  sources: Sources,
): Promise<ModelReport[]> =>
  Promise.all(Object.entries(config.models).map(([id, entry]) => reportModel(id, entry, config, plugins, sources)))

const reportModel = async (
  id: string,
  entry: ModelEntry,
  config: Config,
  plugins: readonly LoadedPlugin[],
  { store, kernel }: Sources,
): Promise<ModelReport> => {
  let located: LocatedModel = { files: {}, missing: [] }
  const locator = {
    locate: async (...given: Parameters<ModelStore['locate']>) => {
      located = await store.locate(...given)
      store.requireFetchable(given[0], located)
      return located
    },
  }
  const [plan] = await planModels({ ...config, models: { [id]: entry } }, { plugins, locator, kernel })
  if (!plan) throw new RangeError(`no plan of ${id}`)
  const origins = plan.missing.length ? await originsOf(entry.source ?? id, store) : () => undefined
  const estimates = findBackend(plugins, entry.backend)?.backend.estimate !== undefined
  return {
    plan,
    lines: [
      `${id}: backend ${plan.backend} of ${plan.plugin}`,
      ...Object.entries(located.files).map(([role, path]) => `  ${role}: ${path}`),
      ...plan.missing.map((file) => `  to be fetched: ${describeMissing(file, origins(file.name))}`),
      ...describeMemory(plan, estimates),
      ...(plan.problem === undefined ? [] : [colours.red(`  problem: ${placed(id, entry, config, plan.problem)}`)]),
    ],
  }
}

/** With the place in the configuration that it is about. */
const placed = (id: string, entry: ModelEntry, { where }: Config, problem: string): string => {
  const { path, part } = referenceProblem(id, entry, problem)
  const place = where(path, part)
  return place === undefined ? problem : `${place}: ${problem}`
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

/** Where each file of a reference can be had, by the file's name. */
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
