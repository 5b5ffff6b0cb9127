/** A model behind the HTTP adapter, in a process that also tells what this costs it. */

import { createKernel } from '@sallyport/kernel'
import { answerQuestions } from '../adapter/worker.js'
import { treeResources } from '../servers/process-tree.js'
import { lag, watch } from './loop-lag.js'
import type { LagQuestion } from './loop-lag.js'

/** `memory`: resident bytes of the server and of its children. */
export type ServerQuestion = 'memory' | LagQuestion

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

const memory = (): number[] => {
  const { server, children } = treeResources(process.pid)
  return [server.resident, children.resident]
}

const answers: Readonly<Record<ServerQuestion, () => number[]>> = { memory, watch, lag }

answerQuestions((question: ServerQuestion) => Promise.resolve(answers[question]()))
