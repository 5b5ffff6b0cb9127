/** The process of one model: loads a backend and serves what it provides to the parent. */

import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { failure } from '../errors/index.js'
import type { PluginDefinition } from '../kernel/plugin.js'
import { registerPluginLoader } from '../plugins/register.js'
import { capabilityHandlers, implementedMethods } from './capability-calls.js'
import { loadBackend } from './loading.js'
import type { LoadReply, LoadRequest } from './loading.js'
import { forwardingLogger } from './log-frames.js'
import { parentProcessTransport } from './process-transport.js'
import { serveTransport } from './server.js'
import type { Handler } from './server.js'

process.title = `sallyport: ${process.argv[2] ?? 'model'}`

/** Neither way lets destructors of native libraries run, which may wait for threads that still compute. */
const dieWithParent = () => {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  new Worker(new URL('./lifeline.js', import.meta.url), { env: {}, execArgv: [] }).unref()
}

/** Ctrl-C and service managers signal the whole group: the parent decides, for it drains first. */
const obeyOnlyTheParent = (mayEnd: () => boolean) => {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => {
    if (mayEnd()) process.exit()
  })
}

/** A core dump would put prompts on the disk. */
const leaveNoMemoryInCoreDumps = () => {
  if (process.platform === 'linux') writeFileSync('/proc/self/coredump_filter', '0')
}

const findBackend = async ({ moduleUrl, backendName }: LoadRequest) => {
  registerPluginLoader()
  const { default: plugin } = (await import(moduleUrl)) as { default: PluginDefinition }
  const backend = plugin.backends?.[backendName]
  if (!backend) throw failure('plugin_invalid', { plugin: plugin.name, problem: `it has no backend ${backendName}` })
  return backend
}

const serveModel = () => {
  let stop: (() => Promise<void>) | undefined
  let stopAsked = false
  const handlers: Record<string, Handler> = {
    load: async (request): Promise<LoadReply> => {
      const { pluginOptions, spec, ...plugin } = request as LoadRequest
      const definition = await findBackend({ pluginOptions, spec, ...plugin })
      const { backend, loaded } = await loadBackend(definition, { pluginOptions, spec, logger })
      stop = async () => backend.stop?.()
      for (const { capability, service } of loaded.provides)
        Object.assign(handlers, capabilityHandlers(capability, service))
      return {
        ...(loaded.descriptor ? { descriptor: loaded.descriptor } : {}),
        provides: loaded.provides.map(({ capability, service }) => ({
          capability: capability.name,
          methods: implementedMethods(capability, service),
        })),
      }
    },
    stop: async (_request, { signal }) => {
      stopAsked = true
      await server.finished(signal)
      await stop?.()
    },
  }
  const server = serveTransport(parentProcessTransport(), handlers)
  const logger = forwardingLogger((level, fields, message) => server.log(level, fields, message))
  obeyOnlyTheParent(() => stopAsked)
}

dieWithParent()
leaveNoMemoryInCoreDumps()
serveModel()
