import type { ChatChunk, GenerationOptions } from '@sallyport/core'
import type { Streamer } from '../../../src/conformance/stream-cases.js'
import type { Wrap } from '../plant.js'
import { asked, refusing, said, saidAtOnce, streamFaults, streaming } from './streams.js'

type Faults<Request> = Record<string, Wrap<Streamer<Request, ChatChunk>>>

/** How a prompt is read and replaced in a request. */
export interface Prompting<Request> {
  readonly read: (request: Request) => string
  readonly write: (request: Request, prompt: string) => Request
}

/** Faults for the cases that chat and completion have in common. */
export const generationFaults = <Request extends GenerationOptions>({
  read,
  write,
}: Prompting<Request>): Faults<Request> => {
  let seed = 0
  return {
    ...streamFaults<Request, ChatChunk>((chunk, times) =>
      'delta' in chunk ? { ...chunk, delta: `${times} ${chunk.delta}` } : chunk,
    ),
    'text comes first, then one finish and nothing after it': said((chunk) =>
      'finish' in chunk ? [chunk, chunk] : [chunk],
    ),
    'characters of several code units arrive whole': said((chunk, _, position) =>
      position === 0 ? [...'👍'.split('').map((delta) => ({ delta })), chunk] : [chunk],
    ),
    'a lone surrogate in the prompt is answered or refused': said((chunk, request) =>
      'delta' in chunk && /\p{Surrogate}/u.test(read(request)) ? [{ delta: '\uD83D' }] : [chunk],
    ),
    'usage counts the prompt and what was generated': said((chunk) =>
      'finish' in chunk ? [{ ...chunk, usage: { promptTokens: 0, completionTokens: 1 } }] : [chunk],
    ),
    'maxTokens bounds the answer': asked(
      ({ maxTokens = 0, ...request }) => ({ ...request, maxTokens: maxTokens + 1 }) as Request,
    ),
    'a higher maxTokens continues the same text': said((chunk, { maxTokens }, position) =>
      position === 0 ? [{ delta: `${maxTokens}: ` }, chunk] : [chunk],
    ),
    'a maxTokens beyond the context is no error': refusing(({ maxTokens = 0 }) => maxTokens > 1024),
    'a prompt over the context is refused with context_exceeded': asked((request) =>
      write(request, read(request).slice(0, 1000)),
    ),
    'the same seed gives the same text': asked((request) => ({ ...request, seed: seed++ })),
    'every sampling parameter is taken': refusing(({ minP }) => minP !== undefined),
    'a bias on a token outside the vocabulary is ignored': said((chunk, { logitBias }) =>
      'delta' in chunk && logitBias ? [{ delta: '!' }] : [chunk],
    ),
    ...stopFaults<Request>(),
    ...logprobFaults<Request>(),
  }
}

const stopFaults = <Request extends GenerationOptions>(): Faults<Request> => ({
  'a stop sequence ends the answer and is left out': said((chunk) =>
    'finish' in chunk && chunk.stopSequence ? [{ delta: chunk.stopSequence }, chunk] : [chunk],
  ),
  'a stop sequence that straddles chunks is left out': streaming(
    (inner) =>
      async function* ({ stop = [], ...request }, call) {
        for await (const chunk of inner(request as Request, call)) {
          const stopSequence = 'delta' in chunk && stop.find((text) => chunk.delta.includes(text))
          yield stopSequence ? { finish: 'stop', stopSequence } : chunk
          if (stopSequence) return
        }
      },
  ),
  'of several stop sequences the first to come ends the answer': asked((request) =>
    request.stop ? { ...request, stop: request.stop.slice(0, 1) } : request,
  ),
  'a text that might have begun a stop sequence is not lost': saidAtOnce((chunks, { stop }) =>
    chunks.filter((chunk, index) => !(stop && index === chunks.length - 2 && 'delta' in chunk)),
  ),
})

const logprobFaults = <Request extends GenerationOptions>(): Faults<Request> => ({
  'log-probabilities are those of the text’s tokens': said((chunk, _, position) =>
    'delta' in chunk && position === 2 ? [{ delta: chunk.delta }] : [chunk],
  ),
  'log-probabilities are at most 0, and the alternatives best first': said((chunk) =>
    'delta' in chunk && chunk.logprobs
      ? [{ ...chunk, logprobs: chunk.logprobs.map((entry) => ({ ...entry, logprob: Math.exp(entry.logprob) })) }]
      : [chunk],
  ),
  'log-probabilities come only when asked for': asked((request) => ({ topLogprobs: 0, ...request })),
})
