/** Small models with known answers. */

import type { CallOptions, ChatChunk, ChatRequest, CompletionRequest, Finding } from '@sallyport/core'
import { textOf } from '@sallyport/core'
import type { FakeModel } from './fake-kernel.js'

const usage = { promptTokens: 5, cachedTokens: 2, completionTokens: 3 }

/** Plays pieces, choice by choice. */
export async function* play(pieces: readonly ChatChunk[], { signal }: CallOptions): AsyncGenerator<ChatChunk> {
  for (const piece of pieces) {
    signal?.throwIfAborted()
    await Promise.resolve()
    yield piece
  }
}

const answers = (request: { n?: number }): ChatChunk[] =>
  Array.from({ length: request.n ?? 1 }, (_, choice): ChatChunk[] => [
    { choice, delta: ' \n' },
    { choice, delta: ' Hello' },
    { choice, delta: ' world' },
    { choice, finish: 'stop', usage },
  ]).flat()

/** Says ` \n Hello world`. */
export const speaker: FakeModel = {
  id: 'speaker',
  aliases: ['base'],
  contextLength: 4096,
  services: {
    chat: { stream: (request, call) => play(answers(request), call) },
    completion: { stream: (request, call) => play(answers(request), call) as AsyncGenerator<never> },
  },
}

/** Says what was played. */
export const player = (id: string, pieces: readonly ChatChunk[], features = {}): FakeModel => ({
  id,
  features,
  services: { chat: { stream: (_, call) => play(pieces, call) } },
})

/** Keeps what it was asked, and says nothing of interest. */
export const recorder = (
  features = {},
): {
  readonly model: FakeModel
  readonly requests: ChatRequest[]
  readonly calls: CallOptions[]
  last: () => string
} => {
  const requests: ChatRequest[] = []
  const calls: CallOptions[] = []
  const model: FakeModel = {
    id: 'recorder',
    features,
    services: {
      chat: {
        stream: (request, call) => {
          requests.push(request)
          calls.push(call)
          return play([{ delta: 'noted' }, { finish: 'stop', usage }], call)
        },
      },
    },
  }
  return { model, requests, calls, last: () => textOf(requests.at(-1)!.messages.at(-1)!) }
}

/** Repeats the prompt; speaks until it is cut off when the prompt says so. */
export const repeater: FakeModel = {
  id: 'repeater',
  services: {
    completion: {
      stream: async function* ({ prompt, n = 1 }: CompletionRequest, { signal }) {
        for (let choice = 0; choice < n; choice += 1) {
          signal?.throwIfAborted()
          await Promise.resolve()
          yield { choice, delta: `<${prompt}>` }
          yield { choice, finish: 'stop', usage: { promptTokens: 1, completionTokens: 1 } }
        }
      },
    },
  },
}

const vector = Float32Array.of(0.5, -0.5, 0.25)

const inspection = { explanation: '', detector: 'test', latency: 0 }

/** Finds the word `Ann` and every e-mail address. */
const personalFindings = (text: string): Finding[] =>
  [...text.matchAll(/Ann|\w+@\w+\.\w+/g)].map((match) => ({
    type: match[0] === 'Ann' ? 'PERSON' : 'EMAIL_ADDRESS',
    start: match.index,
    end: match.index + match[0].length,
    score: 1,
  }))

/** Everything that is neither chat nor completion. */
export const toolbox: FakeModel = {
  id: 'toolbox',
  services: {
    embedding: {
      embed: ({ inputs }: { inputs: unknown[] }) =>
        Promise.resolve({ vectors: inputs.map(() => vector), promptTokens: inputs.length }),
    },
    rerank: {
      rerank: ({ documents }: { documents: string[] }) =>
        Promise.resolve({
          ranking: documents.map((_, index) => ({ index, score: index ? 0.5 : 1 })),
          promptTokens: 7,
        }),
    },
    tokens: {
      tokenize: ({ text }: { text: string }) =>
        Promise.resolve({
          tokens: Array.from(text).map((character, at) => ({ id: at, text: character, start: at, end: at + 1 })),
        }),
      detokenize: ({ tokens }: { tokens: number[] }) => Promise.resolve({ text: tokens.join(' ') }),
    },
    toxicity: { inspect: () => Promise.resolve({ ...inspection, findings: [], score: 1 }) },
    factuality: { inspect: () => Promise.resolve({ ...inspection, findings: [], score: 0.25 }) },
    injection: {
      inspect: ({ text }: { text: string }) =>
        Promise.resolve({ ...inspection, findings: [], score: text.includes('ignore') ? 0.9 : 0 }),
    },
    pii: {
      inspect: ({ text }: { text: string }) =>
        Promise.resolve({ ...inspection, findings: personalFindings(text), score: 0.5 }),
      replace: ({ text, findings, method }: { text: string; findings: Finding[]; method: string }) =>
        Promise.resolve({
          text: findings.reduceRight(
            (rest, { start, end }) => rest.slice(0, start) + `[${method}]` + rest.slice(end),
            text,
          ),
          spans: [],
        }),
    },
    translation: {
      translate: ({ text, source, target }: { text: string; source: string; target: string }) =>
        Promise.resolve({
          candidates: [{ translation: `${source}>${target}:${text}`, score: 1, model: 'fake', status: 'success' }],
        }),
    },
  },
}
