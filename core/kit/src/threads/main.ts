/** What runs in a thread: it does one job at a time. */

import { parentPort, workerData } from 'node:worker_threads'
import { isSallyportError, toErrorData } from '@sallyport/core/errors'
import { LruCache } from '../lists/lru-cache.js'
import { begun, ready } from './protocol.js'
import type { Job, Reply, ThreadStart, ThreadModule, ToThread, JobHandler } from './protocol.js'

/** How many handlers, mostly of detectors, a thread keeps; others are made anew. */
const maxHandlers = 16

const handlers = new LruCache<JobHandler<unknown, unknown>>(maxHandlers)
let current = new AbortController()

/** A handler that could not be made is not kept: the next job tries again. */
const handlerOf = async ({ module, setup }: Job): Promise<JobHandler<unknown, unknown>> => {
  const key = `${module} ${setup?.id ?? ''}`
  const handler = handlers.get(key) ?? (await makeHandler(module, setup?.value))
  handlers.set(key, handler)
  return handler
}

const makeHandler = async (module: string, setup: unknown): Promise<JobHandler<unknown, unknown>> => {
  const { default: make } = (await import(module)) as { default: ThreadModule<unknown, unknown, unknown> }
  return make(setup)
}

const replyTo = async (job: Job): Promise<Reply> => {
  current = new AbortController()
  try {
    const handler = await handlerOf(job)
    parentPort?.postMessage(begun)
    return { value: await handler(job.input, { signal: current.signal }) }
  } catch (error) {
    return isSallyportError(error) ? { refused: toErrorData(error) } : { thrown: error }
  }
}

for (const module of (workerData as ThreadStart).imports) await import(module)
parentPort?.on('message', (message: ToThread) => {
  if (message === 'cancel') current.abort(new Error('nobody waits for it any more'))
  else void replyTo(message).then((reply) => parentPort?.postMessage(reply))
})
parentPort?.postMessage(ready)
