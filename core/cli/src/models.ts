/** `sallyport models`: the model store at the command line. */

import { failure } from '@sallyport/core'
import type { Config, CommandContext, CommandDefinition } from '@sallyport/core'
import { formatBytes, alignColumns } from '@sallyport/kit/text'
import { ModelStore } from '@sallyport/store'
import type { Amount, ListedModel, VerifiedFile } from '@sallyport/store'
import { backendsFor, installedBackends, PullPlanner, readersOf } from './backends.js'
import { colours } from './colours.js'
import { configOption } from './config-file.js'

/** The parts of the configuration that these commands read. */
type StoreContext = Pick<Config, 'store' | 'baseDirectory' | 'models' | 'plugins'>

const storeOf = ({ options, logger }: CommandContext): ModelStore =>
  ModelStore.fromConfig(options as StoreContext, { logger, progress: true })

const list: CommandDefinition = {
  name: 'list',
  description: 'what the catalogue knows and what this project has pinned, what of it is cached, and what serves it',
  options: [configOption, { flags: '--json', description: 'as JSON' }],
  run: async ({ options }, context) => {
    const { backends, problems } = await installedBackends(context.options as StoreContext)
    const models = (await storeOf(context).inventory.list()).map((model) => ({
      ...model,
      backends: model.entry ? backendsFor(model.entry, backends) : readersOf(model.files, backends),
    }))
    for (const problem of problems) context.logger.warn({ problem }, 'a plugin could not be imported')
    if (options.json) context.print(JSON.stringify(models, null, 2))
    else for (const line of listing(models)) context.print(line)
  },
}

/** @param models with the backends that can serve them; capabilities of hub repositories are unknown before loading */
const listing = (models: readonly (ListedModel & { readonly backends: readonly string[] })[]): string[] => {
  const cached = { yes: colours.green('cached'), partly: colours.yellow('in part'), no: colours.dim('-') }
  const rows = models.map((model) => [
    model.reference,
    cached[model.cached],
    formatBytes(model.size),
    model.entry?.licence ?? 'see the hub',
    model.backends.join(', ') || colours.yellow('none installed'),
    model.entry?.capabilities.join(', ') ?? 'as loaded',
  ])
  const headings = ['MODEL', 'CACHE', 'SIZE', 'LICENCE', 'BACKEND', 'CAPABILITIES']
  return alignColumns([headings.map((heading) => colours.bold(heading)), ...rows], { right: [2] })
}

const pull: CommandDefinition = {
  name: 'pull',
  description: "fetch models into the cache; without a reference, those of the configuration's models",
  arguments: [{ name: '[reference...]', description: 'id of the catalogue, or hf:owner/repository[@revision][/file]' }],
  options: [
    configOption,
    { flags: '--update', description: 'take the newest state of a hub branch, and pin that' },
    { flags: '--json', description: 'print a line of JSON per model: its id and its files' },
  ],
  run: async ({ arguments: references, options }, context) => {
    const store = storeOf(context)
    const planner = new PullPlanner(context.options as StoreContext, store)
    const chosen = references.length ? references : await planner.configuredReferences()
    const { signal, dispose } = interruption(chosen.join(' '))
    try {
      for (const reference of chosen) {
        const request = await planner.fileRequestFor(reference, signal)
        const update = options.update === true
        const { files, catalogueEntry } = await store.resolve(reference, { ...request, update, signal })
        if (options.json) context.print(JSON.stringify({ id: reference, files }))
        else {
          context.print(`${colours.green('ready')} ${reference}`)
          for (const path of Object.values(files)) context.print(`  ${path}`)
          if (catalogueEntry?.attribution) context.print(`  ${catalogueEntry.licence}: ${catalogueEntry.attribution}`)
        }
      }
    } finally {
      dispose()
    }
  },
}

const verify: CommandDefinition = {
  name: 'verify',
  description: 'read files of the cache through and compare them with their checksums; exit 1 when one is wrong',
  arguments: [{ name: '[reference...]', description: 'default: everything that is cached' }],
  options: [configOption],
  run: async ({ arguments: references }, context) => {
    const { signal, dispose } = interruption(references.join(' ') || 'of the cache')
    const { inventory } = storeOf(context)
    const files = await inventory.verify(references, signal).finally(dispose)
    const states = { good: colours.green, missing: colours.yellow, damaged: colours.red }
    const rows = files.map(({ state, reference, name }) => [states[state](state), reference, name])
    for (const line of alignColumns(rows)) context.print(line)
    if (!references.length) for (const line of cacheRemarks(files, await inventory.unused())) context.print(line)
    const wrong = files.filter(({ state }) => state !== 'good')
    if (wrong.length) throw failure('model_files', { model: wrong[0]?.reference ?? '', problem: advice(wrong) })
  },
}

const removalHint = 'unless another project needs them, remove them with sallyport models rm --unused'

/** Remarks about the cache as a whole. */
const cacheRemarks = (files: readonly VerifiedFile[], unused: Amount): string[] => [
  ...(files.length || unused.files ? [] : ['the cache is empty: sallyport models pull fetches models']),
  ...(unused.files ? [`${amount(unused)}, of no model of the catalogue or of this project: ${removalHint}`] : []),
]

const advice = (wrong: readonly VerifiedFile[]): string => {
  const references = (state: VerifiedFile['state']) =>
    [...new Set(wrong.filter((file) => file.state === state).map(({ reference }) => reference))].join(' ')
  const [damaged, missing] = [references('damaged'), references('missing')]
  return [
    ...(damaged ? [`damaged; fetch it again: sallyport models rm ${damaged} && sallyport models pull ${damaged}`] : []),
    ...(missing ? [`not in the cache; fetch it: sallyport models pull ${missing}`] : []),
  ].join('\n')
}

const rm: CommandDefinition = {
  name: 'rm',
  description: "remove models' files from the cache, but for those of other cached models; pins in the lock file stay",
  arguments: [{ name: '[reference...]', description: 'id of the catalogue, or hf:owner/repository[@revision][/file]' }],
  options: [
    configOption,
    { flags: '--unused', description: 'what neither the catalogue nor the lock file of this project names' },
  ],
  run: async ({ arguments: references, options }, context) => {
    if (!references.length && !options.unused)
      throw failure('invalid_request', { problem: 'name what to remove, or give --unused' })
    const { inventory } = storeOf(context)
    const removals = [
      ...(references.length ? [await inventory.remove(references)] : []),
      ...(options.unused ? [await inventory.removeUnused()] : []),
    ]
    const files = removals.reduce((sum, removal) => sum + removal.files, 0)
    const bytes = removals.reduce((sum, removal) => sum + removal.bytes, 0)
    const kept = removals.flatMap((removal) => (removal.kept.files ? removal.kept : []))
    if (files) context.print(`removed ${amount({ files, bytes })}`)
    for (const { for: others, ...rest } of kept)
      context.print(`kept ${amount(rest)}, of which ${others.join(', ')} is made too: name it as well to remove them`)
    if (!files && !kept.length) context.print('nothing to remove')
  },
}

const amount = ({ files, bytes }: Amount): string => `${files} ${files === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`

/** A signal that Ctrl-C aborts, so that the command cleans up; a second Ctrl-C ends the process. */
const interruption = (work: string) => {
  const controller = new AbortController()
  const reason = failure('model_files', { model: work, problem: 'interrupted; the same command goes on from here' })
  const stop = () => controller.abort(reason)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return { signal: controller.signal, dispose: () => void process.off('SIGINT', stop).off('SIGTERM', stop) }
}

export const modelsCommand: CommandDefinition = {
  name: 'models',
  description: 'the cache of models',
  commands: [list, pull, verify, rm],
}
