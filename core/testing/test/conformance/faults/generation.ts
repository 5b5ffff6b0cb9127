import type { ChatChunk, GenerationOptions } from '@sallyport/core'
import type { Streaming } from '../../../src/conformance/stream-cases.js'
import type { Wrap } from '../plant.js'
import { asked, refusing, said, saidAtOnce, streamFaults, streaming } from './streams.js'

type Faults<Request> = Record<string, Wrap<Streaming<Request, ChatChunk>>>

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
    ...streamFaults<Request, ChatChunk>((piece, times) =>
      'delta' in piece ? { ...piece, delta: `${times} ${piece.delta}` } : piece,
    ),
    'text comes first, then one finish and nothing after it': said((piece) =>
      'finish' in piece ? [piece, piece] : [piece],
    ),
    'characters of several code units arrive whole': said((piece, _, position) =>
      position === 0 ? [...'👍'.split('').map((delta) => ({ delta })), piece] : [piece],
    ),
    'a lone surrogate in the prompt is answered or refused': said((piece, request) =>
      'delta' in piece && /\p{Surrogate}/u.test(read(request)) ? [{ delta: '\uD83D' }] : [piece],
    ),
    'usage counts the prompt and what was generated': said((piece) =>
      'finish' in piece ? [{ ...piece, usage: { promptTokens: 0, completionTokens: 1 } }] : [piece],
    ),
    'maxTokens bounds the answer': asked(
      ({ maxTokens = 0, ...request }) => ({ ...request, maxTokens: maxTokens + 1 }) as Request,
    ),
    'a higher maxTokens continues the same text': said((piece, { maxTokens }, position) =>
      position === 0 ? [{ delta: `${maxTokens}: ` }, piece] : [piece],
    ),
    'a maxTokens beyond the context is no error': refusing(({ maxTokens = 0 }) => maxTokens > 1024),
    'a prompt over the context is refused with context_exceeded': asked((request) =>
      write(request, read(request).slice(0, 1000)),
    ),
    'the same seed gives the same text': asked((request) => ({ ...request, seed: seed++ })),
    'every sampling parameter is taken': refusing(({ minP }) => minP !== undefined),
    'a bias on a token outside the vocabulary is ignored': said((piece, { logitBias }) =>
      'delta' in piece && logitBias ? [{ delta: '!' }] : [piece],
    ),
    ...stopFaults<Request>(),
    ...logprobFaults<Request>(),
  }
}

const stopFaults = <Request extends GenerationOptions>(): Faults<Request> => ({
  'a stop text ends the answer and is left out': said((piece) =>
    'finish' in piece && piece.stopText ? [{ delta: piece.stopText }, piece] : [piece],
  ),
  'a stop text that straddles pieces is left out': streaming(
    (inner) =>
      async function* ({ stop = [], ...request }, call) {
        for await (const piece of inner(request as Request, call)) {
          const stopText = 'delta' in piece && stop.find((text) => piece.delta.includes(text))
          yield stopText ? { finish: 'stop', stopText } : piece
          if (stopText) return
        }
      },
  ),
  'of several stop texts the first to come ends the answer': asked((request) =>
    request.stop ? { ...request, stop: request.stop.slice(0, 1) } : request,
  ),
  'what might have begun a stop text is not lost': saidAtOnce((pieces, { stop }) =>
    pieces.filter((piece, index) => !(stop && index === pieces.length - 2 && 'delta' in piece)),
  ),
})

const logprobFaults = <Request extends GenerationOptions>(): Faults<Request> => ({
  'log-probabilities are those of the text’s tokens': said((piece, _, position) =>
    'delta' in piece && position === 2 ? [{ delta: piece.delta }] : [piece],
  ),
  'log-probabilities are at most 0, and the alternatives best first': said((piece) =>
    'delta' in piece && piece.logprobs
      ? [{ ...piece, logprobs: piece.logprobs.map((entry) => ({ ...entry, logprob: Math.exp(entry.logprob) })) }]
      : [piece],
  ),
  'log-probabilities come only when asked for': asked((request) => ({ topLogprobs: 0, ...request })),
})
