/** The command line: the core's own commands and those of plugins. */

import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { loadConfig, parseConfig } from '@sallyport/config'
import { loggedCause, isSallyportError } from '@sallyport/core'
import type { Config, CommandContext, CommandDefinition } from '@sallyport/core'
import { loadPlugins } from '@sallyport/kernel'
import type { LoadedPlugin } from '@sallyport/kernel'
import { stateDirectory } from '@sallyport/kit/installation'
import { linesWithoutControls } from '@sallyport/kit/text'
import { checkCommand } from './check.js'
import { configOption, findConfigFile, requireConfigFile } from './config-file.js'
import { createLogger } from './logging.js'
import { calibrateCommand } from './guard/calibrate.js'
import { evalCommand } from './guard/evaluate.js'
import { tryCommand } from './guard/try.js'
import { scoresCommand } from './guard/scores.js'
import { tuneCommand } from './guard/tune.js'
import { modelsCommand } from './models.js'
import { schemaCommand } from './schema.js'
import { serveCommand } from './serve.js'

/** Runs a command line; sets the exit code and prints what went wrong. */
export const run = async (argv: readonly string[]): Promise<void> => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  try {
    const program = new Command('sallyport')
      .description('inference and safeguards server')
      .version(ownVersion())
      .showHelpAfterError()
      .enablePositionalOptions()
    for (const [command, context] of coreCommands) program.addCommand(build(command, context))
    if (!isCoreCommand(argv) && !asksForVersion(argv)) await addPluginCommands(program, argv)
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    process.exitCode = 1
    console.error(`sallyport: ${linesWithoutControls(describe(error))}`)
  }
}

/** Ignores that standard output was closed, as by `sallyport … | head` or with a terminal: the command runs on. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
}

const ownVersion = (): string => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

/** There is no log that a message could refer to. */
const describe = (error: unknown): string => {
  if (isSallyportError(error)) return (loggedCause(error) ?? error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const print = (line: string): void => console.log(line)

type MakeContext = (options: Readonly<Record<string, unknown>>) => Promise<CommandContext>

/** Core commands find their configuration themselves where they need one. */
const coreContext: MakeContext = () =>
  Promise.resolve({
    options: {},
    home: stateDirectory(),
    logger: createLogger({ level: 'warn', format: 'auto', exceptions: 'frames' }),
    print,
  })

/** The store's commands use the configuration's section `store` where there is one, and work without. */
const storeContext: MakeContext = async ({ config: file }) => {
  const found = findConfigFile(file as string | undefined)
  const options = found === undefined ? parseConfig({}, process.cwd()) : await loadConfig(found, {})
  return { ...(await coreContext({})), options }
}

const pluginContext =
  (config: Config, plugin: LoadedPlugin, models: readonly string[]): MakeContext =>
  () =>
    Promise.resolve({
      options: plugin.options,
      home: stateDirectory(),
      logger: createLogger(config.log),
      baseDirectory: config.baseDirectory,
      models,
      policies: Object.keys(config.policies),
      print,
    })

interface WithAliases {
  readonly aliases?: readonly string[]
}

const modelNames = (config: Config, plugins: readonly LoadedPlugin[]): string[] => {
  const models: Readonly<Record<string, WithAliases>>[] = [
    config.models,
    ...plugins.map(({ definition }) => definition.models ?? {}),
  ]
  return models.flatMap((named) => Object.entries(named)).flatMap(([id, { aliases = [] }]) => [id, ...aliases])
}

const guardCommand: CommandDefinition = {
  name: 'guard',
  description: 'try the detectors of a configuration',
  commands: [tryCommand, evalCommand, tuneCommand, calibrateCommand, scoresCommand],
}

const coreCommands: readonly (readonly [CommandDefinition, MakeContext])[] = [
  [serveCommand, coreContext],
  [checkCommand, coreContext],
  [modelsCommand, storeContext],
  [schemaCommand, coreContext],
  [guardCommand, coreContext],
]

const isCoreCommand = (argv: readonly string[]) => coreCommands.some(([{ name }]) => name === argv[0])

const asksForVersion = ([first]: readonly string[]) => first === '--version' || first === '-V'

/** Adds the commands of configured plugins; help texts leave them out where the plugins cannot be loaded. */
const addPluginCommands = async (program: Command, argv: readonly string[]): Promise<void> => {
  const asksForHelp = argv.length === 0 || argv[0] === 'help' || argv[0]?.startsWith('-')
  try {
    const config = await loadConfig(requireConfigFile(namedConfig(argv)), {})
    const { plugins } = await loadPlugins(config)
    const models = modelNames(config, plugins)
    for (const plugin of plugins)
      for (const command of plugin.definition.commands ?? [])
        program.addCommand(withConfigOption(build(command, pluginContext(config, plugin, models))))
  } catch (error) {
    if (!asksForHelp) throw error
  }
}

const namedConfig = (argv: readonly string[]): string | undefined => {
  const index = argv.findIndex((argument) => argument === '--config' || argument.startsWith('--config='))
  const argument = argv[index]
  return argument?.includes('=') ? argument.slice(argument.indexOf('=') + 1) : index < 0 ? undefined : argv[index + 1]
}

const withConfigOption = (command: Command): Command => {
  for (const inner of command.commands) withConfigOption(inner)
  return command.option(configOption.flags, configOption.description)
}

/** An option with several values is repeated for each: commander would take following arguments for further values. */
const buildOption = (definition: NonNullable<CommandDefinition['options']>[number]): Option => {
  const option = new Option(definition.flags, definition.description).default(definition.default)
  if (!option.variadic) return option
  option.variadic = false
  return option.argParser<readonly string[] | undefined>((text, before) => [...(before ?? []), text])
}

const build = (definition: CommandDefinition, context: MakeContext): Command => {
  const command = new Command(definition.name).description(definition.description)
  for (const { name, description } of definition.arguments ?? []) command.argument(name, description)
  for (const option of definition.options ?? []) command.addOption(buildOption(option))
  for (const inner of definition.commands ?? []) command.addCommand(build(inner, context))
  const { run: action } = definition
  if (action)
    command.action(async () => {
      const options = command.opts<Record<string, unknown>>()
      await action({ arguments: command.args, options }, await context(options))
    })
  return command
}
