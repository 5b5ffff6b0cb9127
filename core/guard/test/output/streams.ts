/** Streams behind checks, and what is heard of them. */

import { chat } from '@sallyport/core'
import type { ChatCapability, ChatChunk, SpanDetector, Verdict } from '@sallyport/core'
import { call } from '@sallyport/stand-ins/call'
import { noChecks, guard, enforce, finder, piiFinder, quiet, replace } from '../support.js'
import type { Policy, GuardContext } from '../support.js'

export type Output = Policy['output']
export type Detectors = Partial<GuardContext['detectors']>

export const checks: Output = { pii: replace, toxicity: enforce }

/** Finds `1234`, and knows where it may be growing. */
export const pii: SpanDetector = {
  ...piiFinder('1234'),
  openSpans: ({ text }) =>
    Promise.resolve({
      spans: Array.from(text.matchAll(/1234|1(?:23?)?$/g), ({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      })),
    }),
}
export const detectors: Detectors = { pii, toxicity: finder('awful', 'toxicity') }

/** A model that says these pieces. */
export const reply = (pieces: Iterable<ChatChunk> | AsyncIterable<ChatChunk>): ChatCapability => ({
  async *stream(_, { signal }) {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      yield piece
    }
    yield { finish: 'stop' }
  },
})

export const guarded = (
  backend: ChatCapability,
  output: Output = checks,
  used: Detectors = detectors,
  verdicts: Verdict[] = [],
) =>
  guard(chat, backend, {
    ...quiet,
    policy: { ...noChecks, output },
    detectors: { ...quiet.detectors, ...used },
    onVerdict: (verdict) => verdicts.push(verdict),
  })

export const request = { messages: [{ role: 'user' as const, content: 'go on' }] }

export interface Heard {
  pieces: ChatChunk[]
  said: string
  error?: string
}

export const listen = async (service: ChatCapability): Promise<Heard> => {
  const heard: Heard = { pieces: [], said: '' }
  try {
    for await (const piece of service.stream(request, call())) {
      heard.pieces.push(piece)
      if ('delta' in piece) heard.said += piece.delta
    }
  } catch (error) {
    heard.error = (error as Error).message
  }
  return heard
}

export const deltas = (chunks: readonly string[]): ChatChunk[] => chunks.map((delta) => ({ delta }))
export const hear = (chunks: readonly string[], output?: Output, used?: Detectors) =>
  listen(guarded(reply(deltas(chunks)), output, used))

export const sentence = 'It rains a lot here. '
