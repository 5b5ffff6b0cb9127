/** What the kernel adds to chat and completion backends: `n`, and the collected result. */

import { append } from '../lists/append.js'
import type { Call, Usage } from '../capabilities/call.js'
import type { ChatChoice, ChatChunk, ChatMessage, ChatRequest, ChatResult, ToolCall } from '../capabilities/chat.js'
import type { CompletionChunk, CompletionRequest } from '../capabilities/completion.js'
import type { TokenLogprob } from '../capabilities/generation.js'
import { failure, loggable } from '../errors/index.js'
import { mergeStreams } from '../async/merge-streams.js'

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

/** The text of a message, whatever its form. */
export const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** The text of the last message. */
export const lastText = (messages: readonly ChatMessage[]): string => {
  const last = messages.at(-1)
  return last ? textOf(last) : ''
}

/** What the model reads, as far as text goes. */
export const promptOf = (request: GenerationRequest) =>
  'prompt' in request ? request.prompt : request.messages.map(textOf).join('\n')

/** Usage of all choices of one request: the prompt counts once. */
export const totalUsage = (usages: readonly Usage[]): Usage | undefined => {
  const [first] = usages
  if (!first) return undefined
  const sum = (of: (usage: Usage) => number | undefined) => usages.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  const reasoningTokens = sum((usage) => usage.reasoningTokens)
  return {
    promptTokens: first.promptTokens,
    ...(first.cachedTokens === undefined ? {} : { cachedTokens: first.cachedTokens }),
    completionTokens: sum((usage) => usage.completionTokens),
    ...(reasoningTokens ? { reasoningTokens } : {}),
  }
}

/** Usage of several requests. */
export const sumUsage = (usages: readonly (Usage | undefined)[]): Usage | undefined =>
  usages.reduce((sum, usage) => {
    if (!sum || !usage) return sum ?? usage
    return {
      promptTokens: sum.promptTokens + usage.promptTokens,
      completionTokens: sum.completionTokens + usage.completionTokens,
      cachedTokens: (sum.cachedTokens ?? 0) + (usage.cachedTokens ?? 0),
      reasoningTokens: (sum.reasoningTokens ?? 0) + (usage.reasoningTokens ?? 0),
    }
  }, undefined)

/** Collects a stream of chat or completion chunks. @throws internal when a choice never finished. */
export const collect = async (stream: AsyncIterable<GenerationChunk>): Promise<ChatResult> => {
  const collected: Collecting[] = []
  const usages: Usage[] = []
  for await (const chunk of stream) {
    const choice = (collected[chunk.choice ?? 0] ??= { text: '', toolCalls: [] })
    addChunk(choice, chunk)
    if ('finish' in chunk && chunk.usage) usages.push(chunk.usage)
  }
  const usage = totalUsage(usages)
  return { choices: Array.from(collected, finished), ...(usage ? { usage } : {}) }
}

type Collecting = Omit<ChatChoice, 'finish'> & { finish?: ChatChoice['finish']; toolCalls: ToolCall[] }

const addChunk = (choice: Collecting, chunk: GenerationChunk): void => {
  if ('delta' in chunk) {
    choice.text += chunk.delta
    if (chunk.logprobs) append((choice.logprobs ??= []), chunk.logprobs)
  } else if ('reasoning' in chunk) choice.reasoning = (choice.reasoning ?? '') + chunk.reasoning
  else if ('toolCall' in chunk) addToolCall(choice.toolCalls, chunk.toolCall)
  else {
    choice.finish = chunk.finish
    if (chunk.stopText !== undefined) choice.stopText = chunk.stopText
  }
}

const addToolCall = (
  calls: ToolCall[],
  delta: { index: number; id?: string; name?: string; arguments: string },
): void => {
  const call = (calls[delta.index] ??= { id: '', name: '', arguments: '' })
  if (delta.id) call.id = delta.id
  if (delta.name) call.name = delta.name
  call.arguments += delta.arguments
}

const finished = (choice: Collecting | undefined): ChatChoice => {
  if (choice?.finish === undefined)
    throw failure(
      'internal',
      {},
      { cause: loggable(new TypeError('a choice has no finish: the backend must yield { finish } last')) },
    )
  const { toolCalls, ...rest } = choice
  return { ...rest, finish: choice.finish, ...(toolCalls.length ? { toolCalls } : {}) }
}
