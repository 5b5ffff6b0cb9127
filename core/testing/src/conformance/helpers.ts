/** Helpers for tests of guards and adapters: a model that follows a script, a recording logger, a counter of turns. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { injectable } from 'tsyringe'
import { chat, definePlugin } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Logger } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'
import { forwardingLogger } from '@sallyport/kit/logging'
import { testCall } from './support.js'

/** Streams the chunks that the request lists. */
@injectable()
class Script implements ChatCapability {
  async *stream({ messages }: ChatRequest) {
    for (const delta of JSON.parse(messages.map(textOf).join('')) as string[]) {
      await Promise.resolve()
      yield { delta }
    }
    yield { finish: 'stop' as const }
  }
}

/** A plugin with the model `script`, which streams the chunks of a {@link scriptRequest}. */
export const scriptPlugin = definePlugin({ name: 'script', models: { script: { capability: chat, class: Script } } })

/** A request with which the model `script` streams these chunks. */
export const scriptRequest = (chunks: readonly string[]): ChatRequest => ({
  messages: [{ role: 'user', content: JSON.stringify(chunks) }],
})

/** Splits a text into chunks whose sizes, in UTF-16 code units, cycle through the list. */
export const splitIntoChunks = (text: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** The fields of the line and of the logger's parents. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A logger that records its lines and those of its children, in order. */
export const recordingLogger = (): { readonly logger: Logger; readonly lines: readonly LogLine[] } => {
  const lines: LogLine[] = []
  const logger = forwardingLogger((level, fields, message) => {
    lines.push({ level, fields: { ...fields }, message })
  })
  return { logger, lines }
}

/** Pauses at every opportunity, however fast the machine is. */
class EveryTurn extends Pacer {
  override get isDue(): boolean {
    return true
  }

  override pause(): Promise<void> {
    return nextTurn()
  }
}

/** Counts the turns of the event loop that paced work takes: with the given pacer, each pause is one. */
export const countTurns = async (work: (pacer: Pacer) => Promise<unknown>): Promise<number> => {
  let [count, done] = [0, false]
  const counting = async () => {
    for (; !done; count += 1) await nextTurn()
  }
  const working = work(new EveryTurn(testCall())).finally(() => (done = true))
  await Promise.all([working, counting()])
  return count
}
