/** A kernel with the reference backend behind the HTTP adapter; asked by message, it calls the kernel directly. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chat } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { openLoop } from './open-loop.js'
import { chatRequest, model } from './request.js'
import { answerQuestions } from './worker.js'

export type KernelQuestion = 'bare-port' | { readonly perSecond: number; readonly seconds: number }

const kernel = await createKernel({
  plugins: [new URL(import.meta.resolve('@sallyport/testing/reference')), '@sallyport/koa'],
  server: { host: '127.0.0.1', port: Number(process.env['BENCH_PORT']) },
  log: { level: 'silent' },
})

const service = kernel.get(chat, model)

/** Reads the body and answers: what any server of this platform costs, and the client with it. */
const bare = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"choices":[]}'))
}).listen(0, '127.0.0.1')
await once(bare, 'listening')

answerQuestions((question: KernelQuestion): Promise<number[]> => {
  if (question === 'bare-port') return Promise.resolve([(bare.address() as AddressInfo).port])
  const { perSecond, seconds } = question
  return openLoop(perSecond, seconds, async () => {
    await service.generate(chatRequest)
  })
})
