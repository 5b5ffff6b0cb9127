/** A kernel with the reference backend behind the HTTP adapter; asked by message, it calls the kernel directly. */

import { chat, createKernel } from '@sallyport/core'
import { openLoop } from './open-loop.js'
import { chatRequest, model } from './request.js'
import { answerQuestions } from './worker.js'

export interface KernelQuestion {
  readonly perSecond: number
  readonly seconds: number
}

const kernel = await createKernel({
  plugins: [new URL(import.meta.resolve('@sallyport/core/reference')), '@sallyport/koa'],
  server: { host: '127.0.0.1', port: Number(process.env['BENCH_PORT']) },
  log: { level: 'silent' },
})

const service = kernel.get(chat, model)

answerQuestions(({ perSecond, seconds }: KernelQuestion) =>
  openLoop(perSecond, seconds, async () => {
    await service.generate(chatRequest)
  }),
)
