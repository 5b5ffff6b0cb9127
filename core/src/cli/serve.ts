import { loadConfig } from '../config/index.js'
import type { Config } from '../config/types.js'
import { isSallyportError } from '../errors/index.js'
import { createKernel } from '../kernel/create-kernel.js'
import type { Kernel } from '../kernel/kernel-api.js'
import type { Logger } from '../kernel/logger.js'
import { aborted } from '../kernel/until-aborted.js'
import type { CommandDefinition } from '../kernel/plugin.js'
import { requireConfigFile } from './config-file.js'
import { createLogger } from './logging.js'
import { serveOverrides, setOption } from './overrides.js'
import type { ServeOptions } from './overrides.js'

export const serveCommand: CommandDefinition = {
  name: 'serve',
  description: 'start the server of a configuration',
  options: [
    { flags: '--config <file>', description: 'configuration file (default: ./sallyport.yaml)' },
    { flags: '--host <host>', description: 'address to listen on (also: SALLYPORT_HOST)' },
    { flags: '--port <port>', description: 'port to listen on (also: PORT)' },
    setOption,
  ],
  run: async ({ options }, { print }) => {
    const { config: file, ...given } = options as ServeOptions & { readonly config?: string }
    const overrides = serveOverrides(given, process.env)
    await serve(await loadConfig(requireConfigFile(file), { overrides }), print)
  },
}

const serve = async (config: Config, print: (line: string) => void): Promise<void> => {
  const logger = createLogger(config.log)
  const stopping = endOnSignal(logger)
  const starting = createKernel(config, { logger, announce: print, progress: true, signal: stopping })
  const kernel = await starting.catch((error: unknown) => {
    if (!stopping.aborted) throw error
    process.exit(startGivenUp(error, stopping, logger))
  })
  logger.info({ models: kernel.models().map(({ id }) => id) }, 'ready')
  await aborted(stopping)
  process.exit(await shutDown(kernel, logger))
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

/** Milliseconds: Ctrl-C reaches the server twice under npm, from the terminal and passed on. */
const sameSignal = 1000

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
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}
