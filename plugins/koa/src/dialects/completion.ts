/** Answers of text completion, streamed and not, in both dialects. */

import { countCodePoints } from '@sallyport/kit/text'
import type { CompletionChoice, CompletionChunk, CompletionResult, TokenLogprob, Usage } from '@sallyport/core'
import type { ResultDialect } from './dialect.js'
import type { Envelope } from './values.js'
import { completionLogprobs } from './logprobs.js'
import { UsageTally, usageField } from './usage.js'

/** The choices of all prompts, in the order of the prompts. */
export const textCompletion = (
  results: readonly CompletionResult[],
  usage: Usage | undefined,
  envelope: Envelope,
): object => ({
  ...envelope,
  choices: results.flatMap(({ choices }) => choices).map(wireChoice),
  ...usageField(usage),
})

const wireChoice = ({ text, finish, stopSequence, logprobs }: CompletionChoice, index: number) => ({
  index,
  text,
  finish_reason: finish,
  ...(stopSequence === undefined ? {} : { stop_reason: stopSequence }),
  ...(logprobs ? { logprobs: completionLogprobs(logprobs, 0) } : {}),
})

export interface CompletionStreamOptions {
  readonly includeUsage: boolean
  /** How many choices will end, and how many of them share a prompt. */
  readonly choices: number
  readonly perPrompt: number
  /** Further fields of the last event; called when the source has ended. */
  readonly lastEventFields: () => object
}

/** Turns the kernel's chunks into events; the dialects differ in which event has the usage. */
export async function* completionEvents(
  dialect: ResultDialect,
  chunks: AsyncIterable<CompletionChunk>,
  envelope: Envelope,
  options: CompletionStreamOptions,
): AsyncGenerator<object> {
  const tally = new UsageTally(options.choices, options.perPrompt)
  const lengths = new Map<number, number>()
  const separateUsage = dialect === 'openai' && options.includeUsage
  let last: object | undefined
  for await (const chunk of chunks) {
    const index = chunk.choice ?? 0
    if ('finish' in chunk) {
      const isLast = tally.end(index, chunk.usage)
      const choice = { index, text: '', finish_reason: chunk.finish, stop_reason: chunk.stopSequence ?? null }
      const event = { ...envelope, choices: [choice] }
      if (isLast && !separateUsage) last = { ...event, ...(options.includeUsage && usageField(tally.total)) }
      else yield event
    } else if (chunk.delta) {
      const start = lengths.get(index) ?? 0
      lengths.set(index, start + countCodePoints(chunk.delta))
      const choice = { index, text: chunk.delta, finish_reason: null, stop_reason: null }
      yield { ...envelope, choices: [{ ...choice, ...logprobsField(chunk.logprobs, start) }] }
    }
  }
  if (separateUsage) last = { ...envelope, choices: [], ...usageField(tally.total) }
  if (last) yield { ...last, ...options.lastEventFields() }
}

const logprobsField = (logprobs: TokenLogprob[] | undefined, start: number): object =>
  logprobs ? { logprobs: completionLogprobs(logprobs, start) } : {}
