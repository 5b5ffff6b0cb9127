import colours from 'picocolors'
import { loadConfig } from '../config/index.js'
import { checkBoot } from '../kernel/boot-checks.js'
import { checkMemory, memoryNeed, totalBytes } from '../kernel/memory.js'
import { planModels } from '../kernel/plan.js'
import type { ModelPlan } from '../kernel/plan.js'
import type { CommandDefinition } from '../kernel/plugin.js'
import { loadPlugins } from '../plugins/index.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { formatBytes, ModelStore } from '../store/index.js'
import { requireConfigFile } from './config-file.js'
import { setOption, setOverrides } from './overrides.js'

export const checkCommand: CommandDefinition = {
  name: 'check',
  description: 'validate a configuration and say what it would load; exit 1 when it would not start',
  arguments: [{ name: '[config]', description: 'configuration file (default: ./sallyport.yaml)' }],
  options: [setOption],
  run: async ({ arguments: [file], options }, { print, logger }) => {
    const path = requireConfigFile(file)
    const overrides = setOverrides(options)
    const { config, plugins } = await loadPlugins(await loadConfig(path, { overrides }))
    checkBoot(plugins, config)
    const models = await planModels(config, plugins, ModelStore.fromConfig(config, { logger, progress: false }))
    print('plugins')
    for (const plugin of plugins) print(`  ${describePlugin(plugin)}`)
    print('models')
    for (const model of models) for (const line of describeModel(model)) print(`  ${line}`)
    const memory = new Map(models.flatMap(({ id, memory: estimate }) => (estimate ? [[id, estimate] as const] : [])))
    const { needed, usable } = memoryNeed(memory, config.limits.memory)
    print(`memory: ${formatBytes(needed)} of the ${formatBytes(usable)} that models may use`)
    checkMemory(memory, config.limits.memory)
    if (models.some(({ problem }) => problem !== undefined)) process.exitCode = 1
    else print(colours.green(`${path} is valid`))
  },
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
