/** Detectors and models for tests of the chain. */

import { expect } from 'chai'
import { chat, isSallyportError } from '@sallyport/core'
import type {
  ChatCapability,
  ChatChunk,
  ChatRequest,
  Inspection,
  SpanDetector,
  Safeguard,
  CheckPolicy,
  PiiPolicy,
  Policy,
  Verdict,
} from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'
import { call } from '@sallyport/stand-ins/call'
import { guard } from '../src/guard.js'
import type { GuardContext } from '../src/guard.js'
import { noChecks } from '../src/effective-policy.js'

export const enforce: CheckPolicy = { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 }
export const replace: PiiPolicy = { ...enforce, action: 'replace', method: 'category', ignore: [] }

/** Finds every occurrence of a word. */
export const finder = (word: string, type: string): Safeguard => ({
  inspect: ({ text }): Promise<Inspection> => {
    const findings = [...text.matchAll(new RegExp(word, 'g'))].map(({ 0: found, index }) => ({
      type,
      start: index,
      end: index + found.length,
      score: 1,
    }))
    return Promise.resolve({ findings, score: findings.length ? 1 : 0, explanation: '', detector: type, latency: 0 })
  },
})

export const piiFinder = (word: string): SpanDetector => ({
  ...finder(word, 'SECRET'),
  replace: ({ text }) => Promise.resolve({ text: text.replaceAll(word, '<SECRET>'), spans: [] }),
})

export const broken = (fault: () => Promise<Inspection>): Safeguard => ({ inspect: fault })

/** Says the last message in pieces of the given sizes. */
export const echo = (sizes: readonly number[] = [3]): ChatCapability & { seen: string[] } => {
  const seen: string[] = []
  return {
    seen,
    async *stream({ messages }) {
      let text = messages.at(-1)!.content as string
      seen.push(text)
      for (let i = 0; text; i++) {
        const size = sizes[i % sizes.length]!
        yield { delta: text.slice(0, size), logprobs: [{ token: text.slice(0, size), logprob: -1 }] }
        text = text.slice(size)
      }
      yield await Promise.resolve({ finish: 'stop' as const })
    },
  }
}

export const run = async (
  text: string,
  policy: Partial<Policy>,
  detectors: Partial<GuardContext['detectors']>,
  backend: ChatCapability = echo(),
) => {
  const verdicts: Verdict[] = []
  const guarded = guard(chat, backend, {
    policy: { ...noChecks, ...policy },
    detectors: { injection: undefined, pii: undefined, toxicity: undefined, factuality: undefined, ...detectors },
    onVerdict: (verdict) => verdicts.push(verdict),
    onFailure: () => undefined,
  })
  const pieces: ChatChunk[] = []
  let error: unknown
  try {
    for await (const piece of guarded.stream({ messages: [{ role: 'user', content: text }] }, call()))
      pieces.push(piece)
  } catch (thrown) {
    error = thrown
  }
  const said = pieces.map((piece) => ('delta' in piece ? piece.delta : '')).join('')
  return { said, pieces, error: isSallyportError(error) ? error.message : error, verdicts }
}

export const inspection = (change: Partial<Inspection>): Promise<Inspection> =>
  Promise.resolve({ findings: [], score: 0, explanation: '', detector: 'test', latency: 0, ...change })

/** Finds a word only where no letter or digit stands beside it. */
export const wholeWordFinder = (word: string): Safeguard => finder(`\\b${word}\\b`, 'SECRET')

/** A context that hears nothing, and has one detector of personal information. */
export const quiet = {
  detectors: { injection: undefined, pii: piiFinder('1234'), toxicity: undefined, factuality: undefined },
  onVerdict: () => undefined,
  onFailure: () => undefined,
}

/** The request as the model gets it. @throws where it does not */
export const received = async (
  request: ChatRequest,
  policy: Partial<Policy>,
  pii: SpanDetector = piiFinder('1234'),
): Promise<ChatRequest> => {
  let heard: ChatRequest | undefined
  const backend: ChatCapability = {
    async *stream(checked) {
      heard = checked
      yield await Promise.resolve({ finish: 'stop' as const })
    },
  }
  const guarded = guard(chat, backend, {
    policy: { ...noChecks, ...policy },
    ...quiet,
    detectors: { ...quiet.detectors, pii },
  })
  for await (const piece of guarded.stream(request, call())) expect(piece).to.be.an('object')
  return heard!
}

/** What the model is asked, or why it is not. */
export const asked = async (...request: Parameters<typeof received>): Promise<string> => {
  try {
    return (await received(...request)).messages.map(textOf).join('')
  } catch (error) {
    return (error as Error).message
  }
}
