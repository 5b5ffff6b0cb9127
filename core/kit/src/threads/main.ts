/** A thread: does one job at a time. */

import { parentPort, workerData } from 'node:worker_threads'
import { isSallyportError, toErrorData } from '@sallyport/core/errors'
import { RecentlyUsed } from '../lists/recently-used.js'
import { begun, ready } from './protocol.js'
import type { Job, Reply, ThreadData, ThreadModule, ToThread, Work } from './protocol.js'

/** Detectors that a thread keeps; others are made anew. */
const mostKept = 16

const kept = new RecentlyUsed<Work<unknown, unknown>>(mostKept)
let current = new AbortController()

/** What could not be made is not kept: the next job tries again. */
const workOf = async ({ module, setup }: Job): Promise<Work<unknown, unknown>> => {
  const key = `${module} ${setup?.id ?? ''}`
  const work = kept.get(key) ?? (await made(module, setup?.value))
  kept.set(key, work)
  return work
}

const made = async (module: string, setup: unknown): Promise<Work<unknown, unknown>> => {
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

for (const module of (workerData as ThreadData).imports) await import(module)
parentPort?.on('message', (message: ToThread) => {
  if (message === 'cancel') current.abort(new Error('nobody waits for it any more'))
  else void replyTo(message).then((reply) => parentPort?.postMessage(reply))
})
parentPort?.postMessage(ready)
