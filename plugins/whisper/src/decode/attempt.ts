import { deflateSync } from 'node:zlib'
import { maxOf } from '@sallyport/kit/lists'
import { randomNumbers } from '@sallyport/kit/numbers'
import type { Decoder, KeyValueCache } from './decoder.js'
import { logSumExp } from './logit-filter.js'
import type { LogitFilter } from './logit-filter.js'
import type { Tokenizer } from './tokenizer.js'

/** The result of decoding at one temperature. */
export interface Attempt {
  readonly temperature: number
  /** Tokens of text and of timestamps, without the end token. */
  readonly tokens: readonly number[]
  /** Natural logarithm, averaged over all tokens that were decoded, the end token among them. */
  readonly averageLogProbability: number
  /** The length of the text divided by its length after deflate. */
  readonly compressionRatio: number
  /** Whether decoding was stopped because the model repeated a phrase; one occurrence is kept. */
  readonly looped: boolean
}

interface AttemptStart {
  readonly decoder: Decoder
  readonly tokenizer: Tokenizer
  readonly filter: LogitFilter
  /** The maximum number of tokens to decode. */
  readonly limit: number
  /** Of the tokens before, and the logits after the last of them. */
  readonly cache: KeyValueCache
  readonly logits: Float32Array
  readonly signal: AbortSignal
}

/** Decodes token by token, after those in the cache. @throws the signal's reason */
export const attempt = async (start: AttemptStart, temperature: number): Promise<Attempt> => {
  const { decoder, tokenizer, filter, limit, signal } = start
  const random = randomNumbers(Math.round(temperature * 1000))
  const tokens: number[] = []
  let { cache } = start
  let logits: Float32Array = start.logits.slice()
  let [sum, count, looped] = [0, 1, false]
  while (!looped) {
    filter.apply(logits, tokens)
    const { token, logProbability } = choose(logits, temperature, random)
    sum += logProbability
    if (token === tokenizer.end) break
    tokens.push(token)
    count += 1
    looped = cutLoop(tokens, tokenizer)
    if (tokens.length >= limit) break
    signal.throwIfAborted()
    const next = await decoder.next(cache, [token], [0])
    cache = next.cache
    logits = next.logits[0] ?? logits
  }
  const text = Buffer.concat(tokens.filter((token) => tokenizer.isText(token)).map((token) => tokenizer.bytes(token)))
  return {
    temperature,
    tokens,
    averageLogProbability: sum / count,
    compressionRatio: text.length / deflateSync(text).length,
    looped,
  }
}

/** Cuts a phrase that is repeated at the end down to one occurrence. @returns whether a phrase was repeated */
const cutLoop = (tokens: number[], tokenizer: Tokenizer): boolean => {
  // timestamps within the phrase may differ
  const alike = tokens.map((token) => (tokenizer.isTimestamp(token) ? tokenizer.firstTimestamp : token))
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

const sampleToken = (logits: Float32Array, temperature: number, random: number): number => {
  const max = maxOf(logits)
  const weights = logits.map((value) => Math.exp((value - max) / temperature))
  let left = random * weights.reduce((sum, weight) => sum + weight, 0)
  const token = weights.findIndex((weight) => weight > 0 && (left -= weight) <= 0)
  return Math.max(0, token)
}

/** Longer phrases are not searched for. */
const maxPhraseTokens = 40
/** Repetitions at the end, and tokens in all of them, from which on the model is in a loop. */
const minLoop = { repetitions: 4, tokens: 32 }

/** The length in tokens of a phrase that is repeated at the end; undefined where none is. */
export const loopLength = (tokens: readonly number[]): number | undefined => {
  for (let length = 1; length <= maxPhraseTokens; length += 1) {
    const span = Math.max(minLoop.repetitions * length, minLoop.tokens)
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
const temperatureStep = 0.2

/**
 * Tries higher temperatures until a text is neither improbable nor repetitive, as OpenAI's program does. If all are one
 * or the other, takes the most probable of those that do not repeat themselves, or else of all.
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
  return attempts.reduce((best, each) => (isBetter(each, best) ? each : best))
}

const isRepetitive = ({ looped, compressionRatio }: Attempt) => looped || compressionRatio > thresholds.compressionRatio

const isBetter = (one: Attempt, other: Attempt): boolean =>
  isRepetitive(one) === isRepetitive(other)
    ? one.averageLogProbability > other.averageLogProbability
    : !isRepetitive(one)
