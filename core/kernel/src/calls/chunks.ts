/** What chat and completion backends say beside their text is not checked as text, so it must be what it is declared to be. */

import { failure, loggable } from '@sallyport/core'
import type { Call, ChatChunk, TokenLogprob } from '@sallyport/core'
import type { GenerationChunk, GenerationRequest, GenerationStream } from './generation.js'

/**
 * An answer is one choice, of chunks that say one thing each, and ends with its finish. A stop text is one of the
 * request's, else it is left out; a tool call has one id and one name, for clients join what comes in parts; the bytes
 * of a token are those of its text, else they are left out.
 */
export const withValidChunks = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
): GenerationStream<Request, Chunk> =>
  async function* (request, call: Call) {
    const names = new ToolCallNames()
    let ended = false
    for await (const chunk of stream(request, call)) {
      const problem = ended ? 'a chunk behind its finish' : problemOf(chunk)
      if (problem !== undefined) throw invalid(problem, call)
      ended = 'finish' in chunk
      yield validChunk<Chunk>(chunk, request.stop ?? [], names)
    }
  }

/** What a chunk may have beside the key that says what it is. */
const otherKeys = {
  delta: ['choice', 'logprobs'],
  reasoning: ['choice'],
  toolCall: ['choice'],
  finish: ['choice', 'usage', 'stopText'],
} as const
const kinds = Object.keys(otherKeys).join(', ')
const allowed = Object.entries(otherKeys).map(([kind, beside]) => ({ kind, keys: new Set<string>([kind, ...beside]) }))

/**
 * What is wrong with a chunk; undefined where nothing is. A misspelt key would lose the model's words without a trace; of
 * a chunk that says two things, one would be unchecked; whoever reads an answer as one text would join choices that were
 * checked apart.
 */
const problemOf = (chunk: GenerationChunk): string | undefined => {
  if (chunk.choice) return `a chunk of choice ${chunk.choice}, and was asked for one choice`
  const own = Object.keys(chunk)
  if (allowed.some(({ kind, keys }) => kind in chunk && own.every((key) => keys.has(key)))) return undefined
  const one = `it must have one of ${kinds}, logprobs beside delta alone, usage and stopText beside finish alone`
  return `a chunk with the keys ${own.join(', ') || '(none)'}; ${one}`
}

const invalid = (chunk: string, { requestId }: Call) =>
  failure('invalid_backend_result', { requestId }, { cause: loggable(new TypeError(`the backend yielded ${chunk}`)) })

const validChunk = <Chunk extends GenerationChunk>(
  chunk: Chunk,
  stop: readonly string[],
  names: ToolCallNames,
): Chunk => {
  if ('finish' in chunk) {
    const { stopText, ...finish } = chunk
    return stopText === undefined || stop.includes(stopText) ? chunk : (finish as Chunk)
  }
  if ('toolCall' in chunk) return { ...chunk, toolCall: names.once(chunk) }
  if ('delta' in chunk && chunk.logprobs) return { ...chunk, logprobs: chunk.logprobs.map(withValidBytes) }
  return chunk
}

type ToolCallChunk = Extract<ChatChunk, { toolCall: object }>

/** What the calls of an answer have been called so far. */
class ToolCallNames {
  private readonly given = new Set<string>()

  once({ choice = 0, toolCall: { id, name, ...rest } }: ToolCallChunk): ToolCallChunk['toolCall'] {
    const first = (what: string, value: string | undefined): boolean => {
      const key = `${what} ${choice} ${rest.index}`
      if (value === undefined || this.given.has(key)) return false
      this.given.add(key)
      return true
    }
    return { ...rest, ...(first('id', id) ? { id } : {}), ...(first('name', name) ? { name } : {}) }
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const withValidBytes = (logprob: TokenLogprob): TokenLogprob => {
  const { top } = logprob
  return top ? { ...withOwnBytes(logprob), top: top.map(withOwnBytes) } : withOwnBytes(logprob)
}

const withOwnBytes = <Token extends { token: string; bytes?: number[] }>(token: Token): Token => {
  const { bytes, ...rest } = token
  return !bytes || decoder.decode(Uint8Array.from(bytes)) === token.token ? token : (rest as Token)
}
