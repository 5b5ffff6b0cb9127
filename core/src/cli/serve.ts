import { loadConfig } from '../config/index.js'
import type { Config } from '../config/types.js'
import { failure } from '../errors/index.js'
import { createKernel } from '../kernel/create-kernel.js'
import type { Logger } from '../kernel/logger.js'
import { aborted } from '../kernel/calls.js'
import type { CommandDefinition } from '../kernel/plugin.js'
import { requireConfigFile } from './config-file.js'
import { createLogger } from './logging.js'

interface ServeOptions {
  readonly config?: string
  readonly host?: string
  readonly port?: string
}

export const serveCommand: CommandDefinition = {
  name: 'serve',
  description: 'start the server of a configuration',
  options: [
    { flags: '--config <file>', description: 'configuration file (default: ./sallyport.yaml)' },
    { flags: '--host <host>', description: 'address to listen on' },
    { flags: '--port <port>', description: 'port to listen on (also: PORT)' },
  ],
  run: async ({ options }, { print }) => {
    const { config: file, host, port = process.env['PORT'] } = options as ServeOptions
    const overrides = [
      ...(host === undefined ? [] : [{ path: ['server', 'host'], value: host }]),
      ...(port ? [{ path: ['server', 'port'], value: portNumber(port) }] : []),
    ]
    await serve(await loadConfig(requireConfigFile(file), { overrides }), print)
  },
}

const portNumber = (text: string): number => {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw failure('config_invalid', { problem: `"${text}" is not a port: give a number from 0 to 65535` })
  return port
}

const serve = async (config: Config, print: (line: string) => void): Promise<void> => {
  const logger = createLogger(config.log)
  const stopping = endOnSignal(logger)
  try {
    const kernel = await createKernel(config, { logger, announce: print, progress: true, signal: stopping })
    logger.info({ models: kernel.models().map(({ id }) => id) }, 'ready')
    await aborted(stopping)
    await kernel.drain()
    await kernel.stop()
  } catch (error) {
    if (!stopping.aborted) throw error
  }
  process.exit(0)
}

/** Aborted by the first signal to end; the second ends the process. */
const endOnSignal = (logger: Logger): AbortSignal => {
  const controller = new AbortController()
  const end = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(1)
    logger.info({ signal }, 'stopping: running requests may finish; a second signal ends at once')
    controller.abort()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return controller.signal
}
