/** A stand-in for a language model: it streams words as a real model streams its tokens. */

import { failure } from '@sallyport/core'
import type { Call, Finish, GenerationOptions, TokenLogprob } from '@sallyport/core'
import { StopGate } from '@sallyport/kit/generation'
import { pause } from './backend.js'
import type { ReferenceOptions } from './backend.js'

/** Words with the white space before them; joined they are the text, lone surrogates as U+FFFD. */
export const wordsOf = (text: string): string[] =>
  Buffer.from(text)
    .toString()
    .match(/\s*\S+|\s+$/g) ?? []

/** Counts the words of a prompt. @throws context_exceeded */
export const countPrompt = (prompt: string, limit: number): number => {
  const tokens = wordsOf(prompt).length
  if (tokens > limit) throw failure('context_exceeded', { tokens, limit })
  return tokens
}

interface WordAnswer {
  readonly words: Iterable<string>
  readonly promptTokens: number
  /** Words of prompt and answer together. */
  readonly contextLength: number
  readonly reasoningTokens?: number
}

/** Streams the words one by one, within the limits of the request and the model. */
export async function* streamWords(
  { words, promptTokens, contextLength, reasoningTokens = 0 }: WordAnswer,
  { maxTokens = Infinity, stop = [], topLogprobs }: GenerationOptions,
  call: Call,
  options: ReferenceOptions,
): AsyncGenerator<{ delta: string; logprobs?: TokenLogprob[] } | Finish> {
  const limit = Math.min(maxTokens, contextLength - promptTokens)
  const gate = new StopGate(stop)
  let logprobs: TokenLogprob[] = []
  let completionTokens = reasoningTokens
  let finish: Finish['finish'] = 'stop'
  const chunk = (delta: string) => {
    const next = topLogprobs === undefined ? { delta } : { delta, logprobs }
    logprobs = []
    return next
  }

  for (const word of words) {
    if (completionTokens >= limit) {
      finish = 'length'
      break
    }
    await pause(options, call)
    completionTokens += 1
    logprobs.push(logprobOf(word, topLogprobs ?? 0))
    const delta = gate.push(word)
    if (delta) yield chunk(delta)
    if (gate.stopSequence !== undefined) break
  }
  call.signal.throwIfAborted()
  const rest = gate.flush()
  if (rest) yield chunk(rest)
  const usage = { promptTokens, completionTokens, ...(reasoningTokens ? { reasoningTokens } : {}) }
  yield { finish, usage, ...(gate.stopSequence === undefined ? {} : { stopSequence: gate.stopSequence }) }
}

/** The word has the probability one half; each alternative has half that of the one before. */
const logprobOf = (token: string, count: number): TokenLogprob => ({
  token,
  logprob: Math.log(0.5),
  ...(count > 0
    ? {
        top: Array.from({ length: count }, (_, rank) => ({
          token: rank ? `${token}${rank}` : token,
          logprob: -(rank + 1) * Math.LN2,
        })),
      }
    : {}),
})

/** A number in 0..1 that depends only on the seed. */
export const seededRandom = (seed: number): number => {
  let state = (seed ^ 0x9e3779b9) >>> 0
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
}

/** The distinct words of a text, in lower case and without punctuation. */
export const vocabularyOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
