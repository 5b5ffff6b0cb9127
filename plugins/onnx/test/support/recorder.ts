import { setMaxListeners } from 'node:events'
import type { Requester } from '@sallyport/kit/async'
import { Batcher } from '../../src/batching/batcher.js'
import type { BatcherOptions } from '../../src/batching/batcher.js'
import { PendingCall } from '../../src/batching/pending-call.js'

export interface Text {
  readonly id: string
  readonly size: number
  readonly poison?: boolean
}

/** Nobody gives up. */
export const never: Requester = { tenant: 'a', signal: new AbortController().signal }
// as many calls listen to it as run side by side
setMaxListeners(0, never.signal)

/** A batcher whose evaluator repeats what it was given, and the batches that it was given. */
export const recorder = (options: Partial<BatcherOptions<Text, string>> = {}) => {
  const batches: (readonly Text[])[] = []
  const batcher = new Batcher<Text, string>({
    maxTokens: 64,
    maxItems: 16,
    maxQueued: 10_000,
    sizeOf: ({ size }) => size,
    evaluate: (texts) => {
      batches.push(texts)
      if (texts.some(({ poison }) => poison)) return Promise.reject(new Error('poisoned'))
      return Promise.resolve(texts.map(({ id }) => id))
    },
    ...options,
  })
  const run = (texts: readonly Text[], requester: Requester) => batcher.run(texts, (text) => text, requester)
  return { batcher, batches, run }
}

/** All of a call's texts, made. */
export const pendingCall = (texts: readonly Text[]): PendingCall<Text, string> => {
  const call = new PendingCall<Text, string>(texts.length, 'a', ({ size }) => size)
  for (const [index, text] of texts.entries()) call.add(index, text)
  return call
}

export const textsOf = (call: number | string, sizes: readonly number[]): Text[] =>
  sizes.map((size, index) => ({ id: `${call}.${index}`, size }))
