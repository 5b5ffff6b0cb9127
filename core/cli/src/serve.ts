import { isatty } from 'node:tty'
import { loadConfig, shortName } from '@sallyport/config'
import { isSallyportError } from '@sallyport/core'
import type { Config, Kernel, Logger, CommandContext, CommandDefinition } from '@sallyport/core'
import { createKernel, lastWords, Output, loadPlugins } from '@sallyport/kernel'
import { aborted } from '@sallyport/kit/async'
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
  const print = withoutWaiting()
  endOnDefect(logger)
  const files = ModelStore.fromConfig(config, { logger, progress: true })
  await checkBeforehand(config, files, { ...context, print, logger })
  const stopping = endOnSignal(logger)
  const starting = createKernel(config, { logger, files, announce: print, signal: stopping })
  const kernel = await starting.catch((error: unknown) => {
    if (!stopping.aborted) throw error
    process.exit(startGivenUp(error, stopping, logger))
  })
  // At a terminal, what was announced says it; the line to try is the last one there.
  logger[isReadWithLog() ? 'debug' : 'info']({ models: kernel.models().map(({ id }) => id) }, 'ready')
  await aborted(stopping)
  const code = await shutDown(kernel, logger)
  logger.info({}, 'stopped')
  process.exit(code)
}

/** Whether whoever reads what is printed reads the log, too: then it need not say the same. */
const isReadWithLog = (): boolean => isatty(process.stdout.fd) && isatty(process.stderr.fd)

/** Before anything listens: models that cannot be had end the start, checks that nothing can do are worth a warning. */
const checkBeforehand = async (
  config: Config,
  store: ModelStore,
  { logger, print, home }: CommandContext,
): Promise<void> => {
  const loaded = await loadPlugins(config)
  await checkReferences(loaded.config, loaded.plugins, store)
  const { policies, lost, idle } = reportSafeguards(loaded.config, loaded.plugins, home)
  for (const { name, models, bound, missing } of policies) {
    if (!models.length && !bound.length) logger.warn({ policy: name }, 'the policy guards no model, route or key')
    for (const { message, refuses } of missing) {
      if (refuses && !isReadWithLog()) print(`Problem: ${message}`)
      logger[refuses ? 'error' : 'warn']({}, message)
    }
  }
  for (const { policy, by, message } of lost) logger.warn({ policy, by }, message)
  for (const detectors of idle) logger.info({ ...detectors }, 'the first of several detectors is asked alone')
}

/** A start that is given up fails with the signal's reason or with what the kernel makes of that. @returns exit code */
export const startGivenUp = (error: unknown, stopping: AbortSignal, logger: Logger): 0 | 1 => {
  if (error === stopping.reason || isSallyportError(error)) return 0
  logger.error({ err: error }, 'the start could not be given up in order')
  return 1
}

/** Drains and stops; what fails is logged and does not keep the rest from being stopped. @returns exit code */
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

/** Prints lines: a server does not wait for whoever reads them. */
const withoutWaiting = (): ((line: string) => void) => {
  const output = new Output(process.stdout, { missing: (lines) => `(${lines} lines are missing: nobody read them)\n` })
  process.once('exit', () => output.finish(lastWords))
  return (line) => output.write(`${line}\n`)
}

/** Node would print the error with its message, which may quote what users wrote. */
const endOnDefect = (logger: Logger): void => {
  process.on('uncaughtException', (err) => {
    logger.error({ err }, 'the server ends: nothing expected this error')
    process.exit(1)
  })
}

/** Milliseconds: Ctrl-C reaches the server twice under npm, from the terminal and passed on. Nobody types as fast. */
const sameSignal = 150

/** Aborted by the first signal to end; a later one ends the process. */
const endOnSignal = (logger: Logger): AbortSignal => {
  const controller = new AbortController()
  let first = 0
  const end = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      if (performance.now() - first > sameSignal) process.exit(1)
      return
    }
    first = performance.now()
    logger.info({ signal }, 'stopping: running requests may finish; a second signal ends at once')
    controller.abort()
  }
  // The terminal was closed, or somebody wants a configuration read anew, which is not possible while it runs.
  process.on('SIGHUP', () =>
    logger.info({ signal: 'SIGHUP' }, 'the signal is ignored: the configuration is read at a start only'),
  )
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}
