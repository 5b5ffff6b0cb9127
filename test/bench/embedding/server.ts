/** A model behind the HTTP adapter, in a process that also tells what this costs it. */

import { createKernel } from '@sallyport/core'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerQuestions } from '../adapter/worker.js'
import { treeResources } from '../servers/process-tree.js'

/** `memory`: resident bytes of the server and of its children; `lag`: of the event loop since `watch`. */
export type ServerQuestion = 'memory' | 'watch' | 'lag'

/** Milliseconds; the histogram holds times from one tick of a timer to the next. */
const resolution = 1

await createKernel({
  plugins: ['@sallyport/koa', '@sallyport/onnx'],
  models: {
    model: {
      backend: 'onnx',
      source: process.env['BENCH_SOURCE'] ?? '',
      options: { threads: Number(process.env['BENCH_THREADS']) },
    },
  },
  server: { host: '127.0.0.1', port: Number(process.env['BENCH_PORT']), auth: false },
  log: { level: 'silent' },
})

const delays = monitorEventLoopDelay({ resolution })

const watch = (): number[] => {
  delays.reset()
  delays.enable()
  return []
}

/** Milliseconds: the longest, and the 99th percentile. */
const lag = (): number[] => {
  delays.disable()
  return [delays.max, delays.percentile(99)].map((nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution))
}

const memory = (): number[] => {
  const { server, children } = treeResources(process.pid)
  return [server.resident, children.resident]
}

const answers: Readonly<Record<ServerQuestion, () => number[]>> = { memory, watch, lag }

answerQuestions((question: ServerQuestion) => Promise.resolve(answers[question]()))
