/** What runs in a thread: it does one job at a time. */

import { parentPort, workerData } from 'node:worker_threads'
import { isSallyportError, toErrorData } from '@sallyport/core/errors'
import { RecentlyUsed } from '../lists/recently-used.js'
import { begun, ready } from './protocol.js'
import type { Job, Reply, ThreadStart, ThreadModule, ToThread, Work } from './protocol.js'

/** How many works, mostly detectors, a thread keeps; others are made anew. */
const maxWorks = 16

const works = new RecentlyUsed<Work<unknown, unknown>>(maxWorks)
let current = new AbortController()

/** Work that could not be made is not kept: the next job tries again. */
const workOf = async ({ module, setup }: Job): Promise<Work<unknown, unknown>> => {
  const key = `${module} ${setup?.id ?? ''}`
  const work = works.get(key) ?? (await makeWork(module, setup?.value))
  works.set(key, work)
  return work
}

const makeWork = async (module: string, setup: unknown): Promise<Work<unknown, unknown>> => {
  const { default: make } = (await import(module)) as { default: ThreadModule<unknown, unknown, unknown> }
  return make(setup)
}

const replyTo = async (job: Job): Promise<Reply> => {
  current = new AbortController()
  try {
    const work = await workOf(job)
    parentPort?.postMessage(begun)
    return { value: await work(job.input, { signal: current.signal }) }
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
