import { isSallyportError } from '@sallyport/core'
import type { CommandContext, CommandDefinition, Config, OutsideEntry, OutsideReport } from '@sallyport/core'
import { loadConfig } from '@sallyport/config'
import { configError } from '@sallyport/kit/schemas'
import { memoryNeed, memoryShortage, PluginKernel, loadPlugins } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'
import { formatBytes } from '@sallyport/kit/text'
import { ModelStore } from '@sallyport/store'
import { colours } from './colours.js'
import { configArgument, configOption, requireConfigFile } from './config-file.js'
import { reportModels } from './model-report.js'
import type { ModelReport } from './model-report.js'
import { setOption, setOverrides } from './overrides.js'
import type { SetOptions } from './overrides.js'
import { reportSafeguards } from './safeguards.js'
import type { PolicyReport, SafeguardReport } from './safeguards.js'

export const checkCommand: CommandDefinition = {
  name: 'check',
  description:
    'validate a configuration and say what it would load; exit 1 when it would not start or not answer, as far as that is known without loading a model',
  arguments: [configArgument],
  options: [configOption, setOption],
  run: async ({ arguments: [file], options }, context) => {
    const path = requireConfigFile(file ?? (options as { readonly config?: string }).config)
    const examination = await examine(path, options, context).catch((error: unknown) => {
      if (!isSallyportError(error)) throw error
      context.print(error.message)
      return undefined
    })
    for (const line of examination ? linesOf(examination) : []) context.print(line)
    const problems = examination && problemsOf(examination)
    context.print(conclusion(path, problems))
    if (problems !== 0) process.exitCode = 1
  },
}

/** @param problems their number; undefined where the first one ended the examination */
const conclusion = (path: string, problems: number | undefined): string => {
  if (problems === 0) return colours.green(`${path} is valid`)
  const counted = problems === undefined ? '' : `: ${problems} ${problems === 1 ? 'problem' : 'problems'}`
  return colours.red(`${path} is not valid${counted}`)
}

/** What a configuration would load, and what is wrong with it. */
interface Examination extends SafeguardReport {
  readonly plugins: readonly LoadedPlugin[]
  readonly models: readonly ModelReport[]
  readonly outside: readonly OutsideReport[]
  /** Problems of policies that name detectors, or types to ignore, that do not exist. */
  readonly unknownNames: readonly string[]
  readonly memory: { readonly needed: number; readonly usable: number; readonly shortage: string | undefined }
}

/**
 * Constructs services and the plugins' own models, as at a start, without starting them. Backends are not constructed,
 * for they may need processes of their own. Services examine what they reach outside, such as tool servers.
 */
const examine = async (path: string, options: SetOptions, { logger, home }: CommandContext): Promise<Examination> => {
  const { config, plugins } = await loadPlugins(await loadConfig(path, { overrides: setOverrides(options) }))
  const kernel = new PluginKernel(config, plugins, { logger })
  const models = await reportModels(config, plugins, { store: ModelStore.fromConfig(config, { logger }), kernel })
  const unknown = kernel.policyProblems((id) => models.find(({ plan }) => plan.id === id)?.plan.entityTypes)
  const memory = new Map(models.flatMap(({ plan }) => (plan.memory ? [[plan.id, plan.memory] as const] : [])))
  return {
    plugins,
    models,
    outside: await reportOutside(config, plugins, { home, logger }),
    ...reportSafeguards(config, plugins, home),
    unknownNames: unknown.map((problem) => configError([problem], config.where).message),
    memory: { ...memoryNeed(memory, config.limits.memory), shortage: memoryShortage(memory, config.limits.memory) },
  }
}

const linesOf = (examination: Examination): string[] => {
  const { plugins, models, outside, policies, lostBindings, idleDetectors, unknownNames, memory } = examination
  const fetched = models.some(({ plan }) => plan.missing.length) ? ', without what is to be fetched' : ''
  return [
    ...section('plugins', plugins.map(describePlugin)),
    ...section('models', [...models.flatMap(({ lines }) => lines), ...plugins.flatMap(describeOwnModels)]),
    ...outside.flatMap(({ title, entries }) => section(title, entries.flatMap(linesOfEntry))),
    ...section('policies', policies.flatMap(describePolicy)),
    ...lostBindings.map(({ message }) => describeWarning(message)),
    ...idleDetectors.map(
      ({ check, asked, idle: others }) =>
        `  ${check} is asked of ${asked} alone, the first; idle: ${others.join(', ')}`,
    ),
    ...unknownNames.map(describeProblem),
    `memory: ${formatBytes(memory.needed)} of the ${formatBytes(memory.usable)} that models may use${fetched}`,
    ...(memory.shortage === undefined ? [] : [describeProblem(memory.shortage)]),
  ]
}

const section = (title: string, lines: readonly string[]): string[] => [
  title,
  ...(lines.length ? lines : ['none']).map((line) => `  ${line}`),
]

const describeProblem = (problem: string): string => colours.red(`  problem: ${problem}`)
const describeWarning = (warning: string): string => colours.yellow(`  warning: ${warning}`)

const problemsOf = ({ models, policies, unknownNames, memory }: Examination): number =>
  models.filter(({ plan }) => plan.problem !== undefined).length +
  policies.flatMap(({ missingDetectors }) => missingDetectors.filter(({ refuses }) => refuses)).length +
  unknownNames.length +
  (memory.shortage === undefined ? 0 : 1)

const describePlugin = ({ definition: { name, backends, models, services, commands } }: LoadedPlugin): string => {
  const own = Object.keys(models ?? {}).length
  const brings = [
    ...Object.keys(backends ?? {}).map((backend) => `backend ${backend}`),
    ...(own ? [own === 1 ? '1 model' : `${own} models`] : []),
    // the name of the class would mean something to its author only
    ...(services ?? []).map(({ summary }) => summary ?? 'a service'),
    ...(commands ?? []).map((command) => `command ${command.name}`),
  ]
  return `${name}: ${brings.join(', ') || 'nothing'}`
}

const describeOwnModels = ({ definition: { name, models = {} } }: LoadedPlugin): string[] =>
  Object.entries(models).map(([id, { capability, also = [] }]) => {
    const capabilities = [capability, ...also.map((serving) => serving.capability)]
    return `${id}: ${capabilities.map((each) => each.name).join(', ')}, comes with ${name}`
  })

const describePolicy = ({ name, checks, models, boundTo, missingDetectors }: PolicyReport): string[] => [
  ...wrapList(`${name}:`, checks.length ? checks : ['checks nothing'], '  '),
  ...(models.length ? wrapList('  guards', models, '    ') : []),
  ...(boundTo.length ? wrapList('  holds for', boundTo, '    ') : []),
  ...(models.length || boundTo.length ? [] : ['  guards no model']),
  ...missingDetectors.map(({ refuses, message }) => (refuses ? describeProblem : describeWarning)(message)),
]

/** Has services examine the servers and programs that they reach. */
const reportOutside = async (
  { baseDirectory }: Pick<Config, 'baseDirectory'>,
  plugins: readonly LoadedPlugin[],
  { home, logger }: Pick<CommandContext, 'home' | 'logger'>,
): Promise<OutsideReport[]> => {
  const reports = plugins.flatMap(({ definition: { services = [] }, options }) =>
    services.map(async (service) => service.examine?.(options, { home, logger, baseDirectory })),
  )
  return (await Promise.all(reports)).filter((report) => report !== undefined)
}

const linesOfEntry = ({ text, lists = [], warning }: OutsideEntry): string[] => [
  text,
  ...lists.flatMap(({ head, items }) => wrapList(`  ${head}:`, items, '    ')),
  ...(warning === undefined ? [] : [describeWarning(warning)]),
]

/** Characters that a line of the command line's output may have. */
const width = 100

/** `head: a, b, c`, wrapped after commas; the lines after the first are indented. */
const wrapList = (head: string, items: readonly string[], indent: string): string[] => {
  const lines: string[] = []
  let line = `${head} `
  for (const [index, item] of items.entries()) {
    const text = index === items.length - 1 ? item : `${item}, `
    if (line.length + text.trimEnd().length > width && line.trim() !== head) {
      lines.push(line.trimEnd())
      line = indent
    }
    line += text
  }
  return [...lines, line.trimEnd()]
}
