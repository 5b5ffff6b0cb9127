import { deflateSync } from 'node:zlib'
import { maxOf } from '@sallyport/kit/lists'
import { randomNumbers } from '@sallyport/kit/numbers'
import type { Decoder, State } from './decoder.js'
import { logSumExp } from './rules.js'
import type { Rules } from './rules.js'
import type { Vocabulary } from './vocabulary.js'

/** What the model said at one temperature. */
export interface Attempt {
  readonly temperature: number
  /** Text and times, without the end. */
  readonly tokens: readonly number[]
  /** Natural logarithm, over tokens and the end. */
  readonly averageLogProbability: number
  /** How many times deflate makes the text smaller. */
  readonly compressionRatio: number
  /** It was stopped within a phrase that it said over and over; the last ones are left out. */
  readonly looped: boolean
}

interface AttemptParts {
  readonly decoder: Decoder
  readonly vocabulary: Vocabulary
  readonly rules: Rules
  /** Most tokens that it may say. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** Lets the model say token by token what comes after a beginning. @throws the signal's reason */
export const attempt = async (
  { decoder, vocabulary, rules, limit, signal }: AttemptParts,
  beginning: { readonly state: State; readonly logits: Float32Array },
  temperature: number,
): Promise<Attempt> => {
  const random = randomNumbers(Math.round(temperature * 1000))
  const tokens: number[] = []
  let { state } = beginning
  let logits: Float32Array = beginning.logits.slice()
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

/** Leaves one of the phrases with which the tokens end over and over; whether they do. */
const cutLoop = (tokens: number[], vocabulary: Vocabulary): boolean => {
  // whatever the times are
  const alike = tokens.map((token) => (vocabulary.isTime(token) ? vocabulary.timestamps : token))
  const length = repeatedPhrase(alike)
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

/** The likeliest token, or at a temperature above 0 one drawn by `random` (0..1). */
export const choose = (logits: Float32Array, temperature: number, random: () => number): Choice => {
  const token = temperature > 0 ? drawn(logits, temperature, random()) : logits.indexOf(maxOf(logits))
  return { token, logProbability: (logits[token] ?? 0) - logSumExp(logits) }
}

const drawn = (logits: Float32Array, temperature: number, share: number): number => {
  const most = maxOf(logits)
  const weights = logits.map((value) => Math.exp((value - most) / temperature))
  let left = share * weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    0,
    weights.findIndex((weight) => weight > 0 && (left -= weight) <= 0),
  )
}

/** Tokens of a phrase that is looked for. */
const longestPhrase = 40
/** How often a phrase is said at the end, and how many tokens that makes, where a model does not come out of it. */
const least = { times: 4, tokens: 32 }

/** Length of the phrase that the tokens end with again and again; undefined where they do not. */
export const repeatedPhrase = (tokens: readonly number[]): number | undefined => {
  for (let length = 1; length <= longestPhrase; length += 1) {
    const span = Math.max(least.times * length, least.tokens)
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
 * Tries higher temperatures until a text is neither improbable nor repetitive, as OpenAI's program does; where none is
 * good, takes the likeliest of those that do not repeat themselves.
 * @param noSpeech how probable it is that nobody speaks
 * @returns undefined where nobody does
 */
export const bestAttempt = async (
  temperature: number,
  noSpeech: number,
  decode: (temperature: number) => Promise<Attempt>,
): Promise<Attempt | undefined> => {
  const attempts: Attempt[] = []
  for (let at = temperature; at <= Math.max(1, temperature) + 1e-6; at += temperatureStep) {
    const made = await decode(at)
    const improbable = made.averageLogProbability < thresholds.logProbability
    if (improbable && noSpeech > thresholds.noSpeech) return undefined
    if (!improbable && !isRepetitive(made)) return made
    attempts.push(made)
  }
  return attempts.reduce((best, made) => (isBetter(made, best) ? made : best))
}

const isRepetitive = ({ looped, compressionRatio }: Attempt) => looped || compressionRatio > thresholds.compressionRatio

const isBetter = (one: Attempt, other: Attempt): boolean =>
  isRepetitive(one) === isRepetitive(other)
    ? one.averageLogProbability > other.averageLogProbability
    : !isRepetitive(one)
