import { loadConfig } from '../config/index.js'
import { isSallyportError } from '../errors/index.js'
import { memoryNeed, memoryShortage, totalBytes } from '../kernel/memory.js'
import { planModels } from '../kernel/plan.js'
import type { ModelPlan } from '../kernel/plan.js'
import type { CommandContext, CommandDefinition } from '../kernel/plugin.js'
import { RunningKernel } from '../kernel/running-kernel.js'
import { loadPlugins } from '../plugins/index.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { formatBytes, ModelStore } from '../store/index.js'
import { colours } from './colours.js'
import { requireConfigFile } from './config-file.js'
import { setOption, setOverrides } from './overrides.js'
import type { SetOptions } from './overrides.js'

export const checkCommand: CommandDefinition = {
  name: 'check',
  description: 'validate a configuration and say what it would load; exit 1 when it would not start',
  arguments: [{ name: '[config]', description: 'configuration file (default: ./sallyport.yaml)' }],
  options: [setOption],
  run: async ({ arguments: [file], options }, context) => {
    const path = requireConfigFile(file)
    const problems = await report(path, options, context).catch((error: unknown) => {
      if (!isSallyportError(error)) throw error
      context.print(error.message)
      return undefined
    })
    context.print(verdict(path, problems))
    if (problems !== 0) process.exitCode = 1
  },
}

/** @param problems undefined where the first one kept the others from being looked for */
const verdict = (path: string, problems: number | undefined): string => {
  if (problems === 0) return colours.green(`${path} is valid`)
  const counted = problems === undefined ? '' : `: ${problems} ${problems === 1 ? 'problem' : 'problems'}`
  return colours.red(`${path} is not valid${counted}`)
}

/**
 * Prints what the configuration would load. Services and the plugins' own models are constructed, as at a start, and
 * not started; backends are not, for they may be made in processes of their own only.
 * @returns how many problems the models have
 * @throws what keeps it from being read at all
 */
const report = async (path: string, options: SetOptions, { print, logger }: CommandContext): Promise<number> => {
  const { config, plugins } = await loadPlugins(await loadConfig(path, { overrides: setOverrides(options) }))
  new RunningKernel(config, plugins, { logger })
  const models = await planModels(config, plugins, ModelStore.fromConfig(config, { logger, progress: false }))
  print('plugins')
  for (const plugin of plugins) print(`  ${describePlugin(plugin)}`)
  print('models')
  for (const model of models) for (const line of describeModel(model)) print(`  ${line}`)
  const memory = new Map(models.flatMap(({ id, memory: estimate }) => (estimate ? [[id, estimate] as const] : [])))
  const { needed, usable } = memoryNeed(memory, config.limits.memory)
  print(`memory: ${formatBytes(needed)} of the ${formatBytes(usable)} that models may use`)
  const shortage = memoryShortage(memory, config.limits.memory)
  if (shortage !== undefined) print(colours.red(`  problem: ${shortage}`))
  return models.filter(({ problem }) => problem !== undefined).length + (shortage === undefined ? 0 : 1)
}

const describePlugin = ({ definition: { name, backends, models, services } }: LoadedPlugin): string => {
  const brings = [
    ...Object.keys(backends ?? {}).map((backend) => `backend ${backend}`),
    ...Object.keys(models ?? {}).map((model) => `model ${model}`),
    ...(services ?? []).map((service) => `service ${service.name}`),
  ]
  return `${name}: ${brings.join(', ') || 'nothing'}`
}

const describeModel = ({ id, backend, plugin, missing, memory, problem }: ModelPlan): string[] => [
  `${id}: backend ${backend} of ${plugin}`,
  ...missing.map(({ name, size }) => `  to be fetched: ${name}${size === undefined ? '' : ` (${formatBytes(size)})`}`),
  ...(memory
    ? [
        `  memory: weights ${formatBytes(memory.weights)} + cache ${formatBytes(memory.cache)} + ` +
          `compute ${formatBytes(memory.compute)} = ${formatBytes(totalBytes(memory))}`,
      ]
    : []),
  ...(problem === undefined ? [] : [colours.red(`  problem: ${problem}`)]),
]
