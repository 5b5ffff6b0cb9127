/** Programs that run in processes of their own and answer requests: one message each way. */

import { fork } from 'node:child_process'
import type { Serializable } from 'node:child_process'
import { once } from 'node:events'

interface Reply<Answer> {
  readonly answer?: Answer
  readonly error?: string
}

export interface Worker<Question, Answer> {
  ask(question: Question): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a program that ends with {@link answerQuestions}; one question at a time. */
export const startWorker = async <Question, Answer>(
  module: URL,
  env: Readonly<Record<string, string>> = {},
): Promise<Worker<Question, Answer>> => {
  const child = fork(module, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`${module.pathname} ended with ${String(code)}`)
  })
  failed.catch(() => undefined)
  const reply = async (): Promise<Answer> => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [Reply<Answer>]
    if (message.error !== undefined) throw new Error(message.error)
    return message.answer as Answer
  }
  await reply()
  return {
    ask: (question) => {
      child.send(question as Serializable)
      return reply()
    },
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}

/** Says that the program is ready, then answers until the other side leaves. */
export const answerQuestions = (answer: (question: never) => Promise<unknown>): void => {
  const reply = (message: Reply<unknown>) => process.send?.(message)
  process.on('disconnect', () => process.exit(0))
  process.on('message', (question) => {
    answer(question as never).then(
      (value) => reply({ answer: value }),
      (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  reply({})
}
