/** Fields and chunks that chat and completion have in common. */

import { isRecord } from '@sallyport/kit/json'
import type { Finish, FinishReason, GenerationOptions, Usage } from '@sallyport/core'
import { BadReply, countOf, fieldsOf, listOf, nonEmptyText } from './read.js'
import type { Fields } from './read.js'

/** A request's body; members that are undefined are left out of the JSON. */
export type WireBody = Readonly<Record<string, unknown>>

export const nonEmpty = <Value extends object>(value: Value | undefined): Value | undefined =>
  value && Object.keys(value).length ? value : undefined

/** The request's fields, and the defaults of those that it leaves out. */
export const withDefaults = (body: WireBody, defaults: WireBody): WireBody => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
})

/** `n` is missing: the kernel runs alternatives side by side. */
export const encodeGeneration = (request: GenerationOptions): WireBody => ({
  stream: true,
  stream_options: { include_usage: true },
  temperature: request.temperature,
  top_p: request.topP,
  top_k: request.topK,
  min_p: request.minP,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
  logit_bias: nonEmpty(request.logitBias),
  seed: request.seed,
  max_tokens: request.maxTokens,
  stop: nonEmpty(request.stop),
})

/** At least one alternative of each token, because some servers take 0 for "no log-probabilities at all". */
export const requestedAlternatives = ({ topLogprobs }: GenerationOptions): number | undefined =>
  topLogprobs === undefined ? undefined : Math.max(topLogprobs, 1)

/** Events of one answer, each a JSON value. */
export interface JsonEvents extends AsyncIterable<unknown> {
  /** Whether the server has ended the stream with `[DONE]`. */
  readonly done: boolean
  /** Shortens the time to wait for further events, because the answer is complete. */
  expectEnd(): void
}

/** Turns the choice of each event into chunks. */
export interface ChoiceDecoder<Chunk> {
  chunks(choice: Fields): Iterable<Chunk>
  /** Returns the chunks that were held back. */
  flush(): Iterable<Chunk>
  /** Corrects the reason that the server reported by what it has sent. */
  finishReason(reported: FinishReason): FinishReason
}

/**
 * Chunks of a streamed answer and, last, its finish. Once the server has reported a finish reason, errors no longer
 * fail the answer: neither garbage nor a broken connection.
 * @throws BadReply
 */
export async function* decodeGeneration<Chunk>(
  events: JsonEvents,
  decoder: ChoiceDecoder<Chunk>,
  stops: readonly string[] = [],
): AsyncGenerator<Chunk | Finish> {
  const ending: { usage?: Usage; finish?: FinishReason; stopSequence?: string } = {}
  try {
    for await (const event of events) {
      const fields = fieldsOf(event, 'a chunk')
      const usage = usageOf(fields)
      if (usage) ending.usage = usage
      const choice = onlyChoice(fields)
      if (!choice || ending.finish) continue
      yield* decoder.chunks(choice)
      const reason = nonEmptyText(choice.finish_reason)
      if (reason === undefined) continue
      ending.finish = finishReason(reason)
      const stopSequence = stops.find((stop) => stop === choice.stop_reason)
      if (stopSequence !== undefined) ending.stopSequence = stopSequence
      events.expectEnd()
    }
  } catch (error) {
    if (!ending.finish) throw error
  }
  if (!ending.finish && !events.done) throw new BadReply('it ended its answer before the end')
  yield* decoder.flush()
  yield { ...ending, finish: decoder.finishReason(ending.finish ?? 'stop') }
}

/** The choice with the index 0, the only one that was asked for. */
const onlyChoice = (chunk: Fields): Fields | undefined => {
  const choices = listOf(chunk.choices, 'choices').map((choice) => fieldsOf(choice, 'a choice'))
  return choices.find(({ index }) => index === undefined || index === 0)
}

/** Finish reasons of OpenAI and of other servers; any other is an ordinary end. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
])

const finishReason = (reason: string): FinishReason => {
  if (reason === 'error') throw new BadReply('it failed in the middle of its answer')
  return reasons.get(reason) ?? 'stop'
}

const recordAt = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isRecord(value) ? value : {}
}

/** The first value that is a count. */
const firstCount = (...values: unknown[]) => values.map(countOf).find((count) => count !== undefined)

/**
 * Token counts of a chunk, where it has them: OpenAI's `usage`, DeepSeek's `prompt_cache_hit_tokens`, Groq's
 * `x_groq.usage`, and llama-server's `timings` where the server sends no usage.
 */
const usageOf = (chunk: Fields): Usage | undefined => {
  const usage = isRecord(chunk.usage) ? chunk.usage : recordAt(recordAt(chunk, 'x_groq'), 'usage')
  const promptTokens = countOf(usage.prompt_tokens)
  if (promptTokens === undefined) return usageOfTimings(recordAt(chunk, 'timings'))
  const cached = firstCount(recordAt(usage, 'prompt_tokens_details').cached_tokens, usage.prompt_cache_hit_tokens)
  const reasoning = firstCount(recordAt(usage, 'completion_tokens_details').reasoning_tokens)
  const completionTokens = countOf(usage.completion_tokens) ?? 0
  return {
    promptTokens,
    completionTokens,
    ...(cached === undefined ? {} : { cachedTokens: Math.min(cached, promptTokens) }),
    ...(reasoning ? { reasoningTokens: Math.min(reasoning, completionTokens) } : {}),
  }
}

const usageOfTimings = ({ prompt_n, predicted_n, cache_n }: Fields): Usage | undefined => {
  const evaluated = countOf(prompt_n)
  const completionTokens = countOf(predicted_n)
  if (evaluated === undefined || completionTokens === undefined) return undefined
  const cachedTokens = countOf(cache_n) ?? 0
  return { promptTokens: evaluated + cachedTokens, completionTokens, cachedTokens }
}
