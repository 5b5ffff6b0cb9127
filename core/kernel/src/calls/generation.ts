/**
 * What the kernel adds to chat and completion backends: `n`, the echo of a prompt, and usage that they do not report.
 */

import type { Call, ChatChunk, ChatRequest, CompletionChunk, CompletionRequest } from '@sallyport/core'
import type { TokenLogprob, TokensCapability, Usage } from '@sallyport/core'
import { mergeStreams } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'

export type GenerationRequest = ChatRequest | CompletionRequest
export type GenerationChunk = ChatChunk | CompletionChunk
export type GenerationStream<Request, Chunk> = (request: Request, call: Call) => AsyncIterable<Chunk>

/** Runs `n` streams side by side. Adds the number of the choice to their chunks, and to the seed of the request. */
export const withChoices =
  <Request extends GenerationRequest, Chunk extends GenerationChunk>(stream: GenerationStream<Request, Chunk>) =>
  (request: Request, call: Call): AsyncIterable<Chunk> => {
    const { n = 1, ...single } = request
    if (n === 1) return stream(single as Request, call)
    const choices = Array.from({ length: n }, (_, choice) => choiceStream(stream, single as Request, call, choice))
    return mergeStreams(choices)
  }

async function* choiceStream<Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
  request: Request,
  call: Call,
  choice: number,
): AsyncIterable<Chunk> {
  const choiceRequest = request.seed === undefined ? request : { ...request, seed: request.seed + choice }
  for await (const chunk of stream(choiceRequest, call)) yield { ...chunk, choice }
}

/** Begins each choice with the prompt where the request asks for it. */
export const withEcho = (
  stream: GenerationStream<CompletionRequest, CompletionChunk>,
): GenerationStream<CompletionRequest, CompletionChunk> =>
  async function* ({ echo, ...request }, call) {
    const echoed = new Set<number>()
    for await (const chunk of stream(request, call)) {
      const choice = chunk.choice ?? 0
      if (echo && !echoed.has(choice)) yield { choice, delta: request.prompt }
      echoed.add(choice)
      yield chunk
    }
  }

/**
 * Drops empty chunks: the rest of a text that was replaced, the echo of an empty prompt. Log-probabilities that come
 * without text wait for the next chunk of their choice that has text, or for its finish.
 */
export async function* withoutEmpty(chunks: AsyncIterable<GenerationChunk>): AsyncGenerator<GenerationChunk> {
  const logprobsByChoice = new Map<number, TokenLogprob[]>()
  for await (const chunk of chunks) {
    const { choice = 0 } = chunk
    const waitingLogprobs = logprobsByChoice.get(choice)
    if ('delta' in chunk && chunk.delta === '') {
      if (chunk.logprobs?.length) logprobsByChoice.set(choice, [...(waitingLogprobs ?? []), ...chunk.logprobs])
    } else if (waitingLogprobs && 'delta' in chunk) {
      logprobsByChoice.delete(choice)
      yield { ...chunk, logprobs: [...waitingLogprobs, ...(chunk.logprobs ?? [])] }
    } else {
      if (waitingLogprobs && 'finish' in chunk) yield { choice, delta: '', logprobs: waitingLogprobs }
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

/** Counts tokens with the model's own tokenizer. */
export interface UsageCounter {
  readonly tokenizer: TokensCapability
  /** Called with the reason why a finished answer has no usage. */
  readonly onFailure: (error: unknown, call: Call) => void
}

/**
 * Counts tokens where the backend does not report usage: the prompt once, whatever the number of choices. An answer
 * that cannot be counted ends without usage.
 */
export const withUsage = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
  counter: UsageCounter | undefined,
) =>
  async function* (request: Request, call: Call): AsyncIterable<Chunk> {
    const texts = new Map<number, string>()
    let prompt: Promise<number> | undefined
    const count = async ({ tokenizer, onFailure }: UsageCounter, text: string): Promise<{ usage?: Usage }> => {
      try {
        prompt ??= countTokens(tokenizer, promptOf(request), call)
        const [promptTokens, completionTokens] = await Promise.all([prompt, countTokens(tokenizer, text, call)])
        return { usage: { promptTokens, completionTokens } }
      } catch (error) {
        call.signal.throwIfAborted()
        onFailure(error, call)
        return {}
      }
    }
    for await (const chunk of stream(request, call)) {
      const { choice = 0 } = chunk
      if (counter && 'finish' in chunk && !chunk.usage) {
        yield { ...chunk, ...(await count(counter, texts.get(choice) ?? '')) }
        continue
      }
      if (counter) texts.set(choice, (texts.get(choice) ?? '') + generatedText(chunk))
      yield chunk
    }
  }

const countTokens = async (tokenizer: TokensCapability, text: string, call: Call): Promise<number> =>
  (await tokenizer.tokenize({ text }, call)).tokens.length

const generatedText = (chunk: GenerationChunk): string => {
  if ('delta' in chunk) return chunk.delta
  if ('reasoning' in chunk) return chunk.reasoning
  return 'toolCall' in chunk ? (chunk.toolCall.name ?? '') + chunk.toolCall.arguments : ''
}

/** The prompt; for chat, an approximation: the texts of the messages, without the chat template, tools and images. */
const promptOf = (request: GenerationRequest) =>
  'prompt' in request ? request.prompt : request.messages.map(textOf).join('\n')
