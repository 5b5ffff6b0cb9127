import { isatty } from 'node:tty'
import { loadConfig, shortName } from '@sallyport/config'
import { isSallyportError } from '@sallyport/core'
import type { Config, Kernel, Logger, CommandContext, CommandDefinition } from '@sallyport/core'
import { createKernel, finishLimit, Output, loadPlugins } from '@sallyport/kernel'
import { whenAborted } from '@sallyport/kit/async'
import { ModelStore } from '@sallyport/store'
import { configOption, requireConfigFile } from './config-file.js'
import { createLogger } from './logging.js'
import { serveOverrides, setOption } from './overrides.js'
import type { ServeOptions } from './overrides.js'
import { checkReferences } from './references.js'
import { reportSafeguards } from './safeguards.js'

export const serveCommand: CommandDefinition = {
  name: 'serve',
  description: 'start the server of a configuration',
  options: [
    configOption,
    { flags: '--host <host>', description: 'address to listen on (also: SALLYPORT_HOST)' },
    { flags: '--port <port>', description: 'port to listen on (also: PORT)' },
    { flags: '--eager', description: 'load all models at the start that say nothing else, as with load: start' },
    setOption,
  ],
  run: async ({ options }, context) => {
    const { config: file, ...given } = options as ServeOptions & { readonly config?: string }
    const overrides = serveOverrides(given, process.env)
    const path = requireConfigFile(file)
    context.print(`Configuration: ${shortName(path)}`)
    await serve(await loadConfig(path, { overrides }), context)
  },
}

const serve = async (config: Config, context: CommandContext): Promise<void> => {
  const logger = createLogger(config.log)
  const print = nonBlockingPrint()
  exitOnUncaughtException(logger)
  const files = ModelStore.fromConfig(config, { logger, progress: true })
  await checkBeforeStart(config, files, { ...context, print, logger })
  const stopping = abortOnSignal(logger)
  const environment = { logger, fileSource: files, announce: print, signal: stopping, home: context.home }
  const starting = createKernel(config, environment)
  const kernel = await starting.catch((error: unknown) => {
    if (!stopping.aborted) throw error
    process.exit(abortedStartCode(error, stopping, logger))
  })
  // at a terminal the announcement says the same, and its command to try should be the last line
  logger[printsBesideLog() ? 'debug' : 'info']({ models: kernel.models().map(({ id }) => id) }, 'ready')
  await whenAborted(stopping)
  const code = await shutDown(kernel, logger)
  logger.info({}, 'stopped')
  process.exit(code)
}

/** Whether output and log appear at the same terminal, where the log need not repeat what is printed. */
const printsBesideLog = (): boolean => isatty(process.stdout.fd) && isatty(process.stderr.fd)

/** Before anything listens, fails for model files that cannot be found, and logs checks without detectors. */
const checkBeforeStart = async (
  config: Config,
  store: ModelStore,
  { logger, print, home }: CommandContext,
): Promise<void> => {
  const loaded = await loadPlugins(config)
  await checkReferences(loaded.config, loaded.plugins, store)
  const { policies, lostBindings, idleDetectors } = reportSafeguards(loaded.config, loaded.plugins, home)
  for (const { name, models, boundTo, missingDetectors } of policies) {
    if (!models.length && !boundTo.length) logger.warn({ policy: name }, 'the policy guards no model, route or key')
    for (const { message, refuses } of missingDetectors) {
      if (refuses && !printsBesideLog()) print(`Problem: ${message}`)
      logger[refuses ? 'error' : 'warn']({}, message)
    }
  }
  for (const { policy, by, message } of lostBindings) logger.warn({ policy, by }, message)
  for (const detectors of idleDetectors) logger.info({ ...detectors }, 'the first of several detectors is asked alone')
}

/** The exit code of an aborted start, which fails with the signal's reason or with an error of the kernel's. */
export const abortedStartCode = (error: unknown, stopping: AbortSignal, logger: Logger): 0 | 1 => {
  if (error === stopping.reason || isSallyportError(error)) return 0
  logger.error({ err: error }, 'the start could not be given up in order')
  return 1
}

/** Drains and stops the kernel; a failure is logged, and the rest is still stopped. @returns the exit code */
export const shutDown = async (kernel: Pick<Kernel, 'drain' | 'stop'>, logger: Logger): Promise<0 | 1> => {
  let code: 0 | 1 = 0
  const failed = (message: string) => (error: unknown) => {
    logger.error({ err: error }, message)
    code = 1
  }
  await kernel.drain().catch(failed('running requests could not be ended in order'))
  await kernel.stop().catch(failed('the server could not be stopped in order'))
  return code
}

/** Prints lines without waiting for a reader, who would hold up the server. */
const nonBlockingPrint = (): ((line: string) => void) => {
  const droppedNotice = (lines: number) => `(${lines} lines are missing: they could not be written)\n`
  const output = new Output(process.stdout, { droppedNotice })
  process.once('exit', () => output.finish(finishLimit))
  return (line) => output.write(`${line}\n`)
}

/** Logs uncaught errors, as Node would print their messages, which may quote what users wrote. */
const exitOnUncaughtException = (logger: Logger): void => {
  process.on('uncaughtException', (err) => {
    logger.error({ err }, 'the server ends: nothing expected this error')
    process.exit(1)
  })
}

/** Under npm, Ctrl-C reaches the server twice, from the terminal and from npm, faster than anybody types. */
const repeatedSignalMs = 150

/** A signal that the first SIGTERM or SIGINT aborts; a later one ends the process. */
const abortOnSignal = (logger: Logger): AbortSignal => {
  const controller = new AbortController()
  let first = 0
  const end = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      if (performance.now() - first > repeatedSignalMs) process.exit(1)
      return
    }
    first = performance.now()
    logger.info({ signal }, 'stopping: running requests may finish; a second signal ends at once')
    controller.abort()
  }
  // a terminal was closed, or somebody wants the configuration reloaded, which a running server cannot do
  process.on('SIGHUP', () =>
    logger.info({ signal: 'SIGHUP' }, 'the signal is ignored: the configuration is read at a start only'),
  )
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}
