import { deflateSync } from 'node:zlib'
import { maxOf } from '@sallyport/kit/lists'
import { randomNumbers } from '@sallyport/kit/numbers'
import type { Decoder, DecoderCache } from './decoder.js'
import { logSumExp } from './decoding-rules.js'
import type { DecodingRules } from './decoding-rules.js'
import type { Vocabulary } from './vocabulary.js'

/** The result of decoding at one temperature. */
export interface Attempt {
  readonly temperature: number
  /** Tokens of text and of timestamps, without the end token. */
  readonly tokens: readonly number[]
  /** Natural logarithm, averaged over the tokens and the end token. */
  readonly averageLogProbability: number
  /** How many times smaller deflate makes the text. */
  readonly compressionRatio: number
  /** Whether decoding was stopped because the model repeated a phrase; one repetition is kept. */
  readonly looped: boolean
}

interface AttemptContext {
  readonly decoder: Decoder
  readonly vocabulary: Vocabulary
  readonly rules: DecodingRules
  /** Max tokens to decode. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** Decodes token by token from a start state. @throws the signal's reason */
export const attempt = async (
  { decoder, vocabulary, rules, limit, signal }: AttemptContext,
  start: { readonly state: DecoderCache; readonly logits: Float32Array },
  temperature: number,
): Promise<Attempt> => {
  const random = randomNumbers(Math.round(temperature * 1000))
  const tokens: number[] = []
  let { state } = start
  let logits: Float32Array = start.logits.slice()
  let [sum, looped] = [0, false]
  while (!looped) {
    rules.apply(logits, tokens)
    const { token, logProbability } = choose(logits, temperature, random)
    sum += logProbability
    if (token === vocabulary.end) break
    tokens.push(token)
    looped = cutLoop(tokens, vocabulary)
    if (tokens.length >= limit) break
    signal.throwIfAborted()
    const next = await decoder.next(state, [token], [0])
    state = next.state
    logits = next.logits[0] ?? logits
  }
  const text = Buffer.concat(tokens.filter((token) => vocabulary.isText(token)).map((token) => vocabulary.bytes(token)))
  return {
    temperature,
    tokens,
    averageLogProbability: sum / (tokens.length + 1),
    compressionRatio: text.length / deflateSync(text).length,
    looped,
  }
}

/** Cuts a phrase that is repeated at the end down to one. @returns whether there was one */
const cutLoop = (tokens: number[], vocabulary: Vocabulary): boolean => {
  // timestamps within the phrase may differ
  const alike = tokens.map((token) => (vocabulary.isTimestamp(token) ? vocabulary.timestamps : token))
  const length = loopLength(alike)
  if (length === undefined) return false
  while (alike.length > length && alike.at(-1) === alike.at(-1 - length)) {
    alike.pop()
    tokens.pop()
  }
  return true
}

interface Choice {
  readonly token: number
  /** Natural logarithm of its probability at temperature 1. */
  readonly logProbability: number
}

/** The most probable token or, at a temperature above 0, one sampled by `random` (0..1). */
export const choose = (logits: Float32Array, temperature: number, random: () => number): Choice => {
  const token = temperature > 0 ? sampleToken(logits, temperature, random()) : logits.indexOf(maxOf(logits))
  return { token, logProbability: (logits[token] ?? 0) - logSumExp(logits) }
}

const sampleToken = (logits: Float32Array, temperature: number, share: number): number => {
  const max = maxOf(logits)
  const weights = logits.map((value) => Math.exp((value - max) / temperature))
  let left = share * weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    0,
    weights.findIndex((weight) => weight > 0 && (left -= weight) <= 0),
  )
}

/** Longer phrases are not searched for. */
const maxPhraseTokens = 40
/** Repetitions at the end, and tokens in all of them, from which the model is taken to be caught in a loop. */
const minLoop = { times: 4, tokens: 32 }

/** Length in tokens of a phrase that is repeated at the end; undefined where there is none. */
export const loopLength = (tokens: readonly number[]): number | undefined => {
  for (let length = 1; length <= maxPhraseTokens; length += 1) {
    const span = Math.max(minLoop.times * length, minLoop.tokens)
    if (span > tokens.length) return undefined
    if (isPeriodic(tokens, length, span)) return length
  }
  return undefined
}

const isPeriodic = (tokens: readonly number[], length: number, span: number): boolean => {
  for (let at = tokens.length - 1; at >= tokens.length - span + length; at -= 1)
    if (tokens[at] !== tokens[at - length]) return false
  return true
}

/** OpenAI's thresholds. */
const thresholds = { logProbability: -1, compressionRatio: 2.4, noSpeech: 0.6 }
/** The step from one temperature to the next. */
const temperatureStep = 0.2

/**
 * Tries higher temperatures until a text is neither improbable nor repetitive, as OpenAI's program does; where none is,
 * takes the most probable that does not repeat itself.
 * @param noSpeech the probability that nobody speaks
 * @returns undefined where nobody speaks
 */
export const bestAttempt = async (
  temperature: number,
  noSpeech: number,
  decode: (temperature: number) => Promise<Attempt>,
): Promise<Attempt | undefined> => {
  const attempts: Attempt[] = []
  for (let at = temperature; at <= Math.max(1, temperature) + 1e-6; at += temperatureStep) {
    const candidate = await decode(at)
    const improbable = candidate.averageLogProbability < thresholds.logProbability
    if (improbable && noSpeech > thresholds.noSpeech) return undefined
    if (!improbable && !isRepetitive(candidate)) return candidate
    attempts.push(candidate)
  }
  return attempts.reduce((best, made) => (isBetter(made, best) ? made : best))
}

const isRepetitive = ({ looped, compressionRatio }: Attempt) => looped || compressionRatio > thresholds.compressionRatio

const isBetter = (one: Attempt, other: Attempt): boolean =>
  isRepetitive(one) === isRepetitive(other)
    ? one.averageLogProbability > other.averageLogProbability
    : !isRepetitive(one)
