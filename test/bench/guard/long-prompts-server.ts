/** A model behind checks of what goes in, in a process that tells how its event loop and its memory fare. */

import { chat, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { answerQuestions } from '../adapter/worker.js'
import { lag, watch } from '../embedding/loop-lag.js'
import type { LagQuestion } from '../embedding/loop-lag.js'

/** `memory`: the most bytes that were resident so far. */
export type PromptsQuestion = 'memory' | LagQuestion

/** What reading a prompt costs a model is not measured. */
@injectable()
class BriefChat implements ChatCapability {
  async *stream() {
    yield await Promise.resolve({ delta: 'Yes.' })
    yield { finish: 'stop', usage: { promptTokens: 1, completionTokens: 1 } } as const
  }
}

/** Milliseconds: how long a check waits for its turn is measured, too. */
const budget = 600_000

await createKernel({
  plugins: [
    '@sallyport/koa',
    '@sallyport/pii',
    '@sallyport/guards',
    definePlugin({ name: 'brief', models: { brief: { capability: chat, class: BriefChat } } }),
  ],
  models: { pii: { backend: 'pii' }, injection: { backend: 'injection' } },
  policies: {
    default: {
      input: { injection: { threshold: 0.9, budget }, pii: { action: 'replace', method: 'category', budget } },
    },
  },
  server: { host: '127.0.0.1', port: Number(process.env['BENCH_PORT']) },
  log: { level: 'silent' },
})

const answers: Readonly<Record<PromptsQuestion, () => number[]>> = {
  memory: () => [process.resourceUsage().maxRSS * 1024],
  watch,
  lag,
}

answerQuestions((question: PromptsQuestion) => Promise.resolve(answers[question]()))
