import { deflateSync } from 'node:zlib'
import { randomNumbers } from '@sallyport/kit/numbers'
import type { Decoder, State } from '../model/decoder.js'
import { choose } from './choose.js'
import { repeatedPhrase } from './loops.js'
import type { Rules } from './rules.js'
import type { Vocabulary } from './vocabulary.js'

/** What the model said at one temperature. */
export interface Attempt {
  readonly temperature: number
  /** Text and times, without the end. */
  readonly tokens: readonly number[]
  /** Natural logarithm, over tokens and the end. */
  readonly averageLogProbability: number
  /** Of the text in bytes, by deflate. */
  readonly compressionRatio: number
  /** It was stopped within a phrase that it said over and over; the last ones are left out. */
  readonly looped: boolean
}

export interface AttemptParts {
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
