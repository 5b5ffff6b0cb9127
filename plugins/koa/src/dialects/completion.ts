/** Answers of text completion, streamed and not, in both dialects. */

import { usageOfRequests } from '@sallyport/kit/generation'
import { countCodePoints } from '@sallyport/kit/text'
import type { CompletionChoice, CompletionChunk, CompletionResult, TokenLogprob } from '@sallyport/core'
import type { ResultDialect } from './dialect.js'
import type { Envelope } from './values.js'
import { completionLogprobs } from './logprobs.js'
import { UsageTally, usageField } from './usage.js'
import type { StreamOptions } from './usage.js'

/** The choices of all prompts, in the order of the prompts. */
export const textCompletion = (results: readonly CompletionResult[], envelope: Envelope): object => ({
  ...envelope,
  choices: results.flatMap(({ choices }) => choices).map(wireChoice),
  ...usageField(usageOfRequests(results.map(({ usage }) => usage))),
})

const wireChoice = ({ text, finish, stopSequence, logprobs }: CompletionChoice, index: number) => ({
  index,
  text,
  finish_reason: finish,
  ...(stopSequence === undefined ? {} : { stop_reason: stopSequence }),
  ...logprobsField(logprobs, 0),
})

/** Turns the kernel's chunks into events; the dialects differ in which event has the usage. */
export async function* completionEvents(
  dialect: ResultDialect,
  chunks: AsyncIterable<CompletionChunk>,
  envelope: Envelope,
  options: StreamOptions,
): AsyncGenerator<object> {
  const tally = new UsageTally(options)
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
