/** What the kernel adds to chat and completion backends: `n`, the echo of a prompt. */

import type { Call, ChatChunk, ChatRequest, CompletionChunk, CompletionRequest, TokenLogprob } from '@sallyport/core'
import { mergeStreams } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'

export type GenerationRequest = ChatRequest | CompletionRequest
export type GenerationChunk = ChatChunk | CompletionChunk
export type GenerationStream<Request, Chunk> = (request: Request, call: Call) => AsyncIterable<Chunk>

/** Runs `n` streams side by side, each with a seed of its own, and labels their chunks with the choice. */
export const withChoices =
  <Request extends GenerationRequest, Chunk extends GenerationChunk>(stream: GenerationStream<Request, Chunk>) =>
  (request: Request, call: Call): AsyncIterable<Chunk> => {
    const { n = 1, ...single } = request
    if (n === 1) return stream(single as Request, call)
    const choices = Array.from({ length: n }, (_, choice) => labelled(stream, single as Request, call, choice))
    return mergeStreams(choices)
  }

async function* labelled<Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
  request: Request,
  call: Call,
  choice: number,
): AsyncIterable<Chunk> {
  const seeded = request.seed === undefined ? request : { ...request, seed: request.seed + choice }
  for await (const chunk of stream(seeded, call)) yield { ...chunk, choice }
}

/** Begins each choice with the prompt where the request asks for it. */
export const withEcho = (
  stream: GenerationStream<CompletionRequest, CompletionChunk>,
): GenerationStream<CompletionRequest, CompletionChunk> =>
  async function* ({ echo, ...request }, call) {
    const begun = new Set<number>()
    for await (const chunk of stream(request, call)) {
      const choice = chunk.choice ?? 0
      if (echo && !begun.has(choice)) yield { choice, delta: request.prompt }
      begun.add(choice)
      yield chunk
    }
  }

/**
 * Leaves out what says nothing: the rest of a text that was replaced, the echo of an empty prompt. Log-probabilities
 * that come without text wait for the next one of their choice, or for its finish.
 */
export async function* withoutEmpty(chunks: AsyncIterable<GenerationChunk>): AsyncGenerator<GenerationChunk> {
  const waiting = new Map<number, TokenLogprob[]>()
  for await (const chunk of chunks) {
    const { choice = 0 } = chunk
    const held = waiting.get(choice)
    if ('delta' in chunk && chunk.delta === '') {
      if (chunk.logprobs?.length) waiting.set(choice, [...(held ?? []), ...chunk.logprobs])
    } else if (held && 'delta' in chunk) {
      waiting.delete(choice)
      yield { ...chunk, logprobs: [...held, ...(chunk.logprobs ?? [])] }
    } else {
      if (held && 'finish' in chunk) yield { choice, delta: '', logprobs: held }
      if (!isEmpty(chunk)) yield chunk
    }
  }
}

const isEmpty = (chunk: GenerationChunk): boolean => {
  if ('reasoning' in chunk) return chunk.reasoning === ''
  if (!('toolCall' in chunk)) return false
  const { id, name, arguments: text } = chunk.toolCall
  return text === '' && id === undefined && name === undefined
}

/** What the model reads, as far as text goes. */
export const promptOf = (request: GenerationRequest) =>
  'prompt' in request ? request.prompt : request.messages.map(textOf).join('\n')
