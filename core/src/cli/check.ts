import { pii } from '../capabilities/index.js'
import { loadConfig } from '../config/index.js'
import { configError } from '../config/problem.js'
import { isSallyportError } from '../errors/index.js'
import { unknownIgnoredTypes } from '../kernel/ignored-types.js'
import { memoryNeed, memoryShortage } from '../kernel/memory.js'
import type { CommandContext, CommandDefinition, ServiceClass } from '../kernel/plugin.js'
import { RunningKernel } from '../kernel/running-kernel.js'
import { loadPlugins } from '../plugins/index.js'
import type { LoadedPlugin } from '../plugins/index.js'
import { formatBytes, ModelStore } from '../store/index.js'
import { colours } from './colours.js'
import { configArgument, requireConfigFile } from './config-file.js'
import { reportModels } from './model-report.js'
import { setOption, setOverrides } from './overrides.js'
import type { SetOptions } from './overrides.js'
import { idleDetectors, reportPolicies } from './safeguards.js'
import type { PolicyReport } from './safeguards.js'
import { wrapList } from './wrap.js'

export const checkCommand: CommandDefinition = {
  name: 'check',
  description:
    'validate a configuration and say what it would load; exit 1 when it would not start or not answer, as far as that can be told without loading a model',
  arguments: [configArgument],
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
 * @returns how many problems models and policies have
 * @throws what keeps it from being read at all
 */
const report = async (path: string, options: SetOptions, { print, logger, home }: CommandContext): Promise<number> => {
  const { config, plugins } = await loadPlugins(await loadConfig(path, { overrides: setOverrides(options) }))
  const kernel = new RunningKernel(config, plugins, { logger })
  const models = await reportModels(config, plugins, { store: ModelStore.fromConfig(config, { logger }), kernel })
  const policies = reportPolicies(config, plugins, home)
  const section = (title: string, lines: readonly string[]) => {
    print(title)
    for (const line of lines.length ? lines : ['none']) print(`  ${line}`)
  }
  section('plugins', plugins.map(describePlugin))
  section('models', [...models.flatMap(({ lines }) => lines), ...plugins.flatMap(describeOwnModels)])
  section('policies', policies.flatMap(describePolicy))
  for (const { check, asked, idle } of idleDetectors(config, plugins))
    print(`  ${check} is asked of ${asked} alone, the first; idle: ${idle.join(', ')}`)
  const [detector] = kernel.models(pii)
  const types = detector?.entityTypes ?? models.find(({ plan }) => plan.id === detector?.id)?.plan.entityTypes
  const ignored = unknownIgnoredTypes(config, types)
  for (const problem of ignored) print(colours.red(`  problem: ${configError([problem], config.where).message}`))
  const memory = new Map(models.flatMap(({ plan }) => (plan.memory ? [[plan.id, plan.memory] as const] : [])))
  const { needed, usable } = memoryNeed(memory, config.limits.memory)
  const unknown = models.some(({ plan }) => plan.missing.length) ? ', without what is to be fetched' : ''
  print(`memory: ${formatBytes(needed)} of the ${formatBytes(usable)} that models may use${unknown}`)
  const shortage = memoryShortage(memory, config.limits.memory)
  if (shortage !== undefined) print(colours.red(`  problem: ${shortage}`))
  return (
    models.filter(({ plan }) => plan.problem !== undefined).length +
    policies.flatMap(({ missing }) => missing.filter(({ refuses }) => refuses)).length +
    ignored.length +
    (shortage === undefined ? 0 : 1)
  )
}

const describePlugin = ({ definition: { name, backends, models, services, commands } }: LoadedPlugin): string => {
  const own = Object.keys(models ?? {}).length
  const brings = [
    ...Object.keys(backends ?? {}).map((backend) => `backend ${backend}`),
    ...(own ? [own === 1 ? '1 model' : `${own} models`] : []),
    ...(services ?? []).map(describeService),
    ...(commands ?? []).map((command) => `command ${command.name}`),
  ]
  return `${name}: ${brings.join(', ') || 'nothing'}`
}

/** The name of its class means something to its author only. */
const describeService = ({ summary }: ServiceClass): string => summary ?? 'a service'

const describeOwnModels = ({ definition: { name, models = {} } }: LoadedPlugin): string[] =>
  Object.entries(models).map(([id, { capability, also = [] }]) => {
    const capabilities = [capability, ...also.map((serving) => serving.capability)]
    return `${id}: ${capabilities.map((each) => each.name).join(', ')}, comes with ${name}`
  })

const describePolicy = ({ name, checks, models, bound, missing }: PolicyReport): string[] => [
  ...wrapList(`${name}:`, checks.length ? checks : ['checks nothing'], '  '),
  ...(models.length ? wrapList('  guards', models, '    ') : []),
  ...(bound.length ? wrapList('  holds for', bound, '    ') : []),
  ...(models.length || bound.length ? [] : ['  guards no model']),
  ...missing.map(({ refuses, message }) =>
    refuses ? colours.red(`  problem: ${message}`) : colours.yellow(`  warning: ${message}`),
  ),
]
