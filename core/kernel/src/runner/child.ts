/** The process of one model: loads a backend and serves what it provides to the parent. */

import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { deepFreeze } from '@sallyport/kit/json'
import { errorTrace, failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { forwardingLogger } from '@sallyport/kit/logging'
import { importCheckedPlugin } from '../plugins/module.js'
import { capabilityHandlers, implementedMethods } from './capability-calls.js'
import { loadBackend } from './loading.js'
import type { LoadReply, LoadRequest } from './loading.js'
import { transportToParent } from './process-transport.js'
import { serveTransport } from './server.js'
import type { Handler } from './server.js'

process.title = `sallyport: ${process.argv[2] ?? 'model'}`

/**
 * Starts the thread that watches the parent and the memory. When the parent goes, the process is killed rather than
 * exits: destructors of native libraries may wait for threads that still compute.
 */
const startWatchdog = () => {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const memoryLimit = Number(process.argv[3] ?? Infinity)
  new Worker(new URL('./watchdog.js', import.meta.url), { workerData: memoryLimit, env: {}, execArgv: [] }).unref()
}

/** Ctrl-C, closed terminals and service managers signal the whole process group, but the parent drains first. */
const ignoreGroupSignals = (mayExit: () => boolean) => {
  process.on('SIGINT', () => undefined)
  process.on('SIGHUP', () => undefined)
  process.on('SIGTERM', () => {
    if (mayExit()) process.exit()
  })
}

/** These files exist only on Linux and cannot always be written: what they set is a precaution. */
const writeProcFile = (file: string, value: string) => {
  try {
    writeFileSync(`/proc/self/${file}`, value)
  } catch {
    // The model works without the setting.
  }
}

const hardenProcess = () => {
  // A core dump would put prompts on the disk.
  writeProcFile('coredump_filter', '0')
  // When memory runs out, this process is to be killed and not its parent.
  writeProcFile('oom_score_adj', '500')
}

const findBackend = async ({ moduleUrl, backendName }: LoadRequest) => {
  const definition = await importCheckedPlugin(moduleUrl)
  const backend = definition.backends?.[backendName]
  if (backend) return backend
  throw failure('plugin_invalid', { plugin: definition.name, problem: `it has no backend ${backendName}` })
}

const serveModel = () => {
  let stop: (() => Promise<void>) | undefined
  let stopRequested = false
  const handlers: Record<string, Handler> = {
    load: async (request): Promise<LoadReply> => {
      const loadRequest = deepFreeze(request as LoadRequest)
      const { backend, loaded } = await loadBackend(await findBackend(loadRequest), { ...loadRequest, logger })
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
      stopRequested = true
      await server.othersFinished(signal)
      await stop?.()
    },
  }
  const server = serveTransport(transportToParent(), handlers)
  const logger = forwardingLogger((level, fields, message) => server.log(level, fields, message))
  ignoreGroupSignals(() => stopRequested)
  logUncaughtErrors(logger)
}

/** Milliseconds that the last log line gets to reach the parent. */
const logFlushTime = 20

/** Node would print the error with its message, which may quote what users wrote. */
const logUncaughtErrors = (logger: Logger) =>
  process.once('uncaughtException', (error) => {
    logger.error({ error: errorTrace(error, 'separate') }, 'the process of the model ends because of an uncaught error')
    setTimeout(() => process.exit(1), logFlushTime)
  })

startWatchdog()
hardenProcess()
serveModel()
