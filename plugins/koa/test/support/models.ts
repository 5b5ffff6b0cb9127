/** Small models with known answers. */

import type { Call, ChatChunk, ChatRequest, CompletionRequest, Finding } from '@sallyport/core'
import { textOf } from '@sallyport/kit/generation'
import type { TestModel } from './kernel.js'

const usage = { promptTokens: 5, cachedTokens: 2, completionTokens: 3 }

/** Plays pieces. */
export async function* play(pieces: readonly ChatChunk[], { signal }: Call): AsyncGenerator<ChatChunk> {
  for (const piece of pieces) {
    signal.throwIfAborted()
    await Promise.resolve()
    yield piece
  }
}

const greeting: ChatChunk[] = [{ delta: ' \n' }, { delta: ' Hello' }, { delta: ' world' }, { finish: 'stop', usage }]

/** Says ` \n Hello world`. */
export const speaker: TestModel = {
  id: 'speaker',
  aliases: ['base'],
  contextLength: 4096,
  services: {
    chat: { stream: (_, call) => play(greeting, call) },
    completion: { stream: (_, call) => play(greeting, call) as AsyncGenerator<never> },
  },
}

/** Says what was played. */
export const player = (id: string, pieces: readonly ChatChunk[], features = {}): TestModel => ({
  id,
  features,
  services: { chat: { stream: (_, call) => play(pieces, call) } },
})

/** Keeps what it was asked, and says nothing of interest: it is cut off, so it need not be what was asked for. */
export const recorder = (
  features = {},
): {
  readonly model: TestModel
  readonly requests: ChatRequest[]
  last: () => string
} => {
  const requests: ChatRequest[] = []
  const model: TestModel = {
    id: 'recorder',
    features,
    services: {
      chat: {
        stream: (request, call) => {
          requests.push(request)
          return play([{ delta: 'noted' }, { finish: 'length', usage }], call)
        },
      },
    },
  }
  return { model, requests, last: () => textOf(requests.at(-1)!.messages.at(-1)!) }
}

/** Repeats the prompt. */
export const repeater: TestModel = {
  id: 'repeater',
  services: {
    completion: {
      stream: async function* ({ prompt }: CompletionRequest) {
        await Promise.resolve()
        yield { delta: `<${prompt}>` }
        yield { finish: 'stop', usage: { promptTokens: 1, completionTokens: 1 } }
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
export const toolbox: TestModel = {
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
    factuality: {
      inspect: ({ text, reference = '' }: { text: string; reference?: string }) => {
        const support = [{ start: 0, end: reference.length }]
        const claims = [{ start: 0, end: text.length, score: 0.25, support, differences: ['number'] }]
        return Promise.resolve({ ...inspection, findings: [], score: 0.25, claims })
      },
    },
    injection: {
      inspect: ({ text }: { text: string }) => {
        const start = text.indexOf('ignore')
        const findings = start < 0 ? [] : [{ type: 'ORDER', start, end: start + 6, score: 0.9 }]
        return Promise.resolve({ ...inspection, findings, score: start < 0 ? 0 : 0.9 })
      },
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
      pairs: () => Promise.resolve({ pairs: [] }),
      translate: ({ text, source, target }: { text: string; source: string; target: string }) =>
        Promise.resolve({
          candidates: [{ translation: `${source}>${target}:${text}`, score: 1, model: 'fake', status: 'success' }],
        }),
    },
  },
}
