/** Chat answers: whole ones look the same in both dialects, streamed ones do not. */

import type { ChatChoice, ChatChunk, ChatResult, Finish, ToolCall } from '@sallyport/core'
import type { ResultDialect } from './dialect.js'
import type { Envelope } from './values.js'
import { chatLogprobs } from './logprobs.js'
import { UsageTally, usageField } from './usage.js'
import type { StreamOptions } from './usage.js'

export const chatCompletion = (result: ChatResult, envelope: Envelope): object => ({
  ...envelope,
  choices: result.choices.map(wireChoice),
  ...usageField(result.usage),
})

const wireChoice = (choice: ChatChoice, index: number) => {
  const content = choice.text.trimStart()
  const calls = choice.toolCalls
  return {
    index,
    message: {
      role: 'assistant',
      content: calls && !content ? null : content,
      ...(choice.reasoning ? { reasoning: choice.reasoning } : {}),
      ...(calls ? { tool_calls: calls.map(wireToolCall) } : {}),
    },
    finish_reason: choice.finish,
    ...(choice.logprobs ? { logprobs: chatLogprobs(choice.logprobs) } : {}),
  }
}

const wireToolCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

type ContentChunk = Exclude<ChatChunk, Finish>

/** Turns the kernel's chunks into the events of a dialect. */
export const chatEvents = (
  dialect: ResultDialect,
  chunks: AsyncIterable<ChatChunk>,
  envelope: Envelope,
  options: StreamOptions,
): AsyncIterable<object> => presenters[dialect](withoutLeadingSpace(chunks), envelope, options)

/** Longer lines are more than some clients read. */
const maxLineBytes = 60_000

/**
 * The first delta has the role, and every delta has `content`, because clients drop chunks without it. The last chunk
 * of a choice repeats its whole text; the stream's last chunk has the usage.
 */
async function* specificationEvents(chunks: AsyncIterable<ChatChunk>, envelope: Envelope, options: StreamOptions) {
  const tally = new UsageTally(options)
  const texts = new Map<number, string>()
  let last: ((more: object) => object) | undefined
  for await (const chunk of chunks) {
    const index = chunk.choice ?? 0
    const text = texts.get(index)
    const emptyDelta = { ...(text === undefined && { role: 'assistant' }), content: '' }
    if (isFinish(chunk)) {
      const isLast = tally.end(index, chunk.usage)
      const choice = { index, delta: emptyDelta, finish_reason: chunk.finish }
      const event = (more: object) =>
        withinLine(
          { ...envelope, choices: [{ ...choice, generated_text: text ?? '' }], ...more },
          { ...envelope, choices: [choice], ...more },
        )
      if (isLast) last = event
      else yield event({})
    } else {
      const delta = { ...emptyDelta, ...deltaOf(chunk) }
      texts.set(index, (text ?? '') + delta.content)
      yield {
        ...envelope,
        choices: [{ index, delta, finish_reason: null, generated_text: null, ...logprobsField(chunk) }],
      }
    }
  }
  if (last) yield last({ ...(options.includeUsage && usageField(tally.total)), ...options.lastEventFields() })
}

/** The event, or the shorter one where its line would be longer than some clients read. */
const withinLine = (whole: object, shorter: object): object =>
  Buffer.byteLength(`data: ${JSON.stringify(whole)}`) > maxLineBytes ? shorter : whole

/** The first delta of a choice has the role and no text; usage comes in a chunk of its own. */
async function* openAiEvents(chunks: AsyncIterable<ChatChunk>, envelope: Envelope, options: StreamOptions) {
  const tally = new UsageTally(options)
  const startedChoices = new Set<number>()
  let last: object | undefined
  for await (const chunk of chunks) {
    const index = chunk.choice ?? 0
    if (!startedChoices.has(index)) {
      startedChoices.add(index)
      yield { ...envelope, choices: [{ index, delta: { role: 'assistant', content: '' }, finish_reason: null }] }
    }
    if (isFinish(chunk)) {
      const event = { ...envelope, choices: [{ index, delta: {}, finish_reason: chunk.finish }] }
      if (tally.end(index, chunk.usage) && !options.includeUsage) last = event
      else yield event
    } else
      yield { ...envelope, choices: [{ index, delta: deltaOf(chunk), finish_reason: null, ...logprobsField(chunk) }] }
  }
  if (options.includeUsage) last = { ...envelope, choices: [], ...usageField(tally.total) }
  if (last) yield { ...last, ...options.lastEventFields() }
}

const presenters = { specification: specificationEvents, openai: openAiEvents }

const isFinish = (chunk: ChatChunk): chunk is { choice?: number } & Finish => 'finish' in chunk

interface Delta {
  content?: string
  reasoning?: string
  tool_calls?: object[]
}

const deltaOf = (chunk: ContentChunk): Delta => {
  if ('delta' in chunk) return { content: chunk.delta }
  if ('reasoning' in chunk) return { reasoning: chunk.reasoning }
  const { index, id, name, arguments: text } = chunk.toolCall
  const head = id === undefined ? {} : { id, type: 'function' }
  return { tool_calls: [{ index, ...head, function: { ...(name === undefined ? {} : { name }), arguments: text } }] }
}

const logprobsField = (chunk: ContentChunk): object =>
  'delta' in chunk && chunk.logprobs ? { logprobs: chatLogprobs(chunk.logprobs) } : {}

/** Removes leading white space from each choice of a stream, and drops the chunks left empty. */
async function* withoutLeadingSpace(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  const startedChoices = new Set<number>()
  for await (const chunk of chunks) {
    if (!('delta' in chunk)) {
      yield chunk
      continue
    }
    const choice = chunk.choice ?? 0
    const delta = startedChoices.has(choice) ? chunk.delta : chunk.delta.trimStart()
    if (delta) startedChoices.add(choice)
    else if (chunk.delta) continue
    yield delta === chunk.delta ? chunk : { ...chunk, delta }
  }
}
