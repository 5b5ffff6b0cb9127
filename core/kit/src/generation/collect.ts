/** Reads the text of messages, adds up usage, and collects streams of chunks into results. */

import type { Usage, ChatChoice, ChatChunk, ChatMessage, ChatResult, ToolCall, CompletionChunk } from '@sallyport/core'
import { failure, loggable } from '@sallyport/core/errors'
import { append } from '../lists/append.js'

/** The text of a message, whether its content is a string or parts. */
export const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** The text of the last message. */
export const lastText = (messages: readonly ChatMessage[]): string => {
  const last = messages.at(-1)
  return last ? textOf(last) : ''
}

/** Usage of all choices of one request: the prompt counts once. */
export const usageOfChoices = (usages: readonly Usage[]): Usage | undefined => {
  const [first] = usages
  if (!first) return undefined
  const sum = (countOf: (usage: Usage) => number | undefined) =>
    usages.reduce((total, usage) => total + (countOf(usage) ?? 0), 0)
  const reasoningTokens = sum((usage) => usage.reasoningTokens)
  return {
    promptTokens: first.promptTokens,
    ...(first.cachedTokens === undefined ? {} : { cachedTokens: first.cachedTokens }),
    completionTokens: sum((usage) => usage.completionTokens),
    ...(reasoningTokens ? { reasoningTokens } : {}),
  }
}

/** Usage of several requests, as far as they reported it: each prompt counts. */
export const usageOfRequests = (usages: readonly (Usage | undefined)[]): Usage | undefined =>
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
export const collect = async (stream: AsyncIterable<ChatChunk | CompletionChunk>): Promise<ChatResult> => {
  const collected: PartialChoice[] = []
  const usages: Usage[] = []
  for await (const chunk of stream) {
    const choice = (collected[chunk.choice ?? 0] ??= { text: '', toolCalls: [] })
    addChunk(choice, chunk)
    if ('finish' in chunk && chunk.usage) usages.push(chunk.usage)
  }
  const usage = usageOfChoices(usages)
  return { choices: Array.from(collected, finished), ...(usage ? { usage } : {}) }
}

type PartialChoice = Omit<ChatChoice, 'finish'> & { finish?: ChatChoice['finish']; toolCalls: ToolCall[] }

const addChunk = (choice: PartialChoice, chunk: ChatChunk | CompletionChunk): void => {
  if ('delta' in chunk) {
    choice.text += chunk.delta
    if (chunk.logprobs) append((choice.logprobs ??= []), chunk.logprobs)
  } else if ('reasoning' in chunk) choice.reasoning = (choice.reasoning ?? '') + chunk.reasoning
  else if ('toolCall' in chunk) addToolCall(choice.toolCalls, chunk.toolCall)
  else {
    choice.finish = chunk.finish
    if (chunk.stopSequence !== undefined) choice.stopSequence = chunk.stopSequence
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

const finished = (choice: PartialChoice | undefined): ChatChoice => {
  if (choice?.finish === undefined)
    throw failure(
      'internal',
      {},
      { cause: loggable(new TypeError('a choice has no finish: the backend must yield { finish } last')) },
    )
  const { toolCalls, ...rest } = choice
  return { ...rest, finish: choice.finish, ...(toolCalls.length ? { toolCalls } : {}) }
}
