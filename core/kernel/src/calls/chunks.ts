/** Validates what no safeguard looks at in chunks: keys, stop sequences, bytes of tokens, ids of tool calls. */

import { failure, loggable } from '@sallyport/core'
import type { Call, ChatChunk, TokenLogprob } from '@sallyport/core'
import type { GenerationChunk, GenerationRequest, GenerationStream } from './generation.js'

/**
 * An answer is one choice, of chunks with one kind of content each, and nothing follows its finish. A stop sequence
 * that the request does not have is removed, and so are bytes of a token that do not encode its text. A tool call keeps
 * only its first id and name, since clients concatenate those of several chunks.
 * @throws invalid_backend_result
 */
export const withValidChunks = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
): GenerationStream<Request, Chunk> =>
  async function* (request, call: Call) {
    const seenToolCalls = new SeenToolCalls()
    let ended = false
    for await (const chunk of stream(request, call)) {
      const problem = ended ? 'a chunk after the finish' : problemOf(chunk)
      if (problem !== undefined) throw invalid(problem, call)
      ended = 'finish' in chunk
      yield validChunk<Chunk>(chunk, request.stop ?? [], seenToolCalls)
    }
  }

/** The keys that a chunk of each kind may have in addition to its own. */
const otherKeys = {
  delta: ['choice', 'logprobs'],
  reasoning: ['choice'],
  toolCall: ['choice'],
  finish: ['choice', 'usage', 'stopSequence'],
} as const
const kinds = Object.keys(otherKeys).join(', ')
const allowed = Object.entries(otherKeys).map(([kind, beside]) => ({ kind, keys: new Set<string>([kind, ...beside]) }))

/**
 * The problem of a chunk, if any. A misspelt key would lose the model's words without a trace; in a chunk of two kinds,
 * one would stay unchecked; with chunks of several choices, callers that concatenate the whole answer would join texts
 * that were checked separately.
 */
const problemOf = (chunk: GenerationChunk): string | undefined => {
  if (chunk.choice) return `a chunk of choice ${chunk.choice}, though one choice was requested`
  const present = Object.keys(chunk)
  if (allowed.some(({ kind, keys }) => kind in chunk && present.every((key) => keys.has(key)))) return undefined
  const one = `it must have one of ${kinds}, logprobs only with delta, usage and stopSequence only with finish`
  return `a chunk with the keys ${present.join(', ') || '(none)'}; ${one}`
}

const invalid = (chunk: string, { requestId }: Call) =>
  failure('invalid_backend_result', { requestId }, { cause: loggable(new TypeError(`the backend yielded ${chunk}`)) })

const validChunk = <Chunk extends GenerationChunk>(
  chunk: Chunk,
  stop: readonly string[],
  seenToolCalls: SeenToolCalls,
): Chunk => {
  if ('finish' in chunk) {
    const { stopSequence, ...finish } = chunk
    return stopSequence === undefined || stop.includes(stopSequence) ? chunk : (finish as Chunk)
  }
  if ('toolCall' in chunk) return { ...chunk, toolCall: seenToolCalls.withoutRepeats(chunk.toolCall) }
  if ('delta' in chunk && chunk.logprobs) return { ...chunk, logprobs: chunk.logprobs.map(withValidLogprob) }
  return chunk
}

type ToolCall = Extract<ChatChunk, { toolCall: object }>['toolCall']

/** Remembers the tool calls of an answer whose id or name has been sent. */
class SeenToolCalls {
  private readonly seen = new Set<string>()

  withoutRepeats({ id, name, ...rest }: ToolCall): ToolCall {
    const first = (what: string, value: string | undefined): boolean => {
      const key = `${what} ${rest.index}`
      if (value === undefined || this.seen.has(key)) return false
      this.seen.add(key)
      return true
    }
    return { ...rest, ...(first('id', id) ? { id } : {}), ...(first('name', name) ? { name } : {}) }
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const withValidLogprob = (logprob: TokenLogprob): TokenLogprob => {
  const { top } = logprob
  return top ? { ...withoutWrongBytes(logprob), top: top.map(withoutWrongBytes) } : withoutWrongBytes(logprob)
}

const withoutWrongBytes = <Token extends { token: string; bytes?: number[] }>(token: Token): Token => {
  const { bytes, ...rest } = token
  return !bytes || decoder.decode(Uint8Array.from(bytes)) === token.token ? token : (rest as Token)
}
