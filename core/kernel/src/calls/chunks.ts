/** Validates what chunks of chat and completion hold beside text: no safeguard checks it as text. */

import { failure, loggable } from '@sallyport/core'
import type { Call, ChatChunk, TokenLogprob } from '@sallyport/core'
import type { GenerationChunk, GenerationRequest, GenerationStream } from './generation.js'

/**
 * An answer is one choice, of chunks with one kind of content each, and ends with its finish. A stop text that is none
 * of the request's is removed, and so are bytes of a token that do not encode its text. A tool call keeps its first id
 * and name alone, for clients concatenate what comes in several chunks.
 * @throws invalid_backend_result
 */
export const withValidChunks = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
): GenerationStream<Request, Chunk> =>
  async function* (request, call: Call) {
    const names = new SeenToolCalls()
    let ended = false
    for await (const chunk of stream(request, call)) {
      const problem = ended ? 'a chunk behind its finish' : problemOf(chunk)
      if (problem !== undefined) throw invalid(problem, call)
      ended = 'finish' in chunk
      yield validChunk<Chunk>(chunk, request.stop ?? [], names)
    }
  }

/** The keys that a chunk of each kind may have beside its own. */
const otherKeys = {
  delta: ['choice', 'logprobs'],
  reasoning: ['choice'],
  toolCall: ['choice'],
  finish: ['choice', 'usage', 'stopText'],
} as const
const kinds = Object.keys(otherKeys).join(', ')
const allowed = Object.entries(otherKeys).map(([kind, beside]) => ({ kind, keys: new Set<string>([kind, ...beside]) }))

/**
 * What is wrong with a chunk, if anything. A misspelt key would lose the model's words without a trace; in a chunk of
 * two kinds, one would stay unchecked; readers of an answer as one text would join choices that were checked
 * separately.
 */
const problemOf = (chunk: GenerationChunk): string | undefined => {
  if (chunk.choice) return `a chunk of choice ${chunk.choice}, though one choice was requested`
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
  names: SeenToolCalls,
): Chunk => {
  if ('finish' in chunk) {
    const { stopText, ...finish } = chunk
    return stopText === undefined || stop.includes(stopText) ? chunk : (finish as Chunk)
  }
  if ('toolCall' in chunk) return { ...chunk, toolCall: names.withoutRepeats(chunk) }
  if ('delta' in chunk && chunk.logprobs) return { ...chunk, logprobs: chunk.logprobs.map(withValidBytes) }
  return chunk
}

type ToolCallChunk = Extract<ChatChunk, { toolCall: object }>

/** The tool calls of an answer whose id or name has been sent. */
class SeenToolCalls {
  private readonly seen = new Set<string>()

  withoutRepeats({ choice = 0, toolCall: { id, name, ...rest } }: ToolCallChunk): ToolCallChunk['toolCall'] {
    const first = (what: string, value: string | undefined): boolean => {
      const key = `${what} ${choice} ${rest.index}`
      if (value === undefined || this.seen.has(key)) return false
      this.seen.add(key)
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
