/** Streamed chat answers, in both dialects. */

import type { ChatChunk, Finish } from '@sallyport/core'
import type { DialectName } from './dialect.js'
import type { Envelope } from './identifiers.js'
import { withoutLeadingSpace } from './leading-space.js'
import { chatLogprobs } from './logprobs.js'
import { UsageTally, usageField } from './usage.js'

export interface ChatStreamOptions {
  readonly includeUsage: boolean
  /** How many choices will end. */
  readonly choices: number
  /** What the last event says besides; asked when the source has ended. */
  readonly atEnd: () => object
}

type Piece = Exclude<ChatChunk, Finish>

/** Turns the kernel's pieces into the events of a dialect. */
export const chatEvents = (
  dialect: DialectName,
  chunks: AsyncIterable<ChatChunk>,
  envelope: Envelope,
  options: ChatStreamOptions,
): AsyncIterable<object> => presenters[dialect](withoutLeadingSpace(chunks), envelope, options)

/** Longer lines are more than some clients read. */
const longestLine = 60_000

/**
 * The role rides on the first delta, and every delta has a `content`, for clients drop chunks without one. The last chunk
 * of a choice repeats its whole text; the stream's last chunk has the usage.
 */
async function* specificationEvents(chunks: AsyncIterable<ChatChunk>, envelope: Envelope, options: ChatStreamOptions) {
  const tally = new UsageTally(options.choices, options.choices)
  const texts = new Map<number, string>()
  let last: ((more: object) => object) | undefined
  for await (const chunk of chunks) {
    const index = chunk.choice ?? 0
    const text = texts.get(index)
    const emptyDelta = { ...(text === undefined && { role: 'assistant' }), content: '' }
    if (isFinish(chunk)) {
      const ends = tally.end(index, chunk.usage)
      const choice = { index, delta: emptyDelta, finish_reason: chunk.finish }
      const event = (more: object) =>
        withinLine(
          { ...envelope, choices: [{ ...choice, generated_text: text ?? '' }], ...more },
          { ...envelope, choices: [choice], ...more },
        )
      if (ends) last = event
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
  if (last) yield last({ ...(options.includeUsage && usageField(tally.total)), ...options.atEnd() })
}

/** The event, or the shorter one where its line would be longer than some clients read. */
const withinLine = (whole: object, shorter: object): object =>
  Buffer.byteLength(`data: ${JSON.stringify(whole)}`) > longestLine ? shorter : whole

/** The first delta of a choice has the role and no text; usage comes in a chunk of its own. */
async function* openAiEvents(chunks: AsyncIterable<ChatChunk>, envelope: Envelope, options: ChatStreamOptions) {
  const tally = new UsageTally(options.choices, options.choices)
  const begun = new Set<number>()
  let last: object | undefined
  for await (const chunk of chunks) {
    const index = chunk.choice ?? 0
    if (!begun.has(index)) {
      begun.add(index)
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
  if (last) yield { ...last, ...options.atEnd() }
}

const presenters = { specification: specificationEvents, openai: openAiEvents }

const isFinish = (chunk: ChatChunk): chunk is { choice?: number } & Finish => 'finish' in chunk

interface Delta {
  content?: string
  reasoning?: string
  tool_calls?: object[]
}

const deltaOf = (chunk: Piece): Delta => {
  if ('delta' in chunk) return { content: chunk.delta }
  if ('reasoning' in chunk) return { reasoning: chunk.reasoning }
  const { index, id, name, arguments: text } = chunk.toolCall
  const begins = id === undefined ? {} : { id, type: 'function' }
  return { tool_calls: [{ index, ...begins, function: { ...(name === undefined ? {} : { name }), arguments: text } }] }
}

const logprobsField = (chunk: Piece): object =>
  'delta' in chunk && chunk.logprobs ? { logprobs: chatLogprobs(chunk.logprobs) } : {}
