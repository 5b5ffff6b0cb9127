import { maxOf } from '@sallyport/kit/lists'
import { specialTokens } from './tokenizer.js'
import type { Tokenizer } from './tokenizer.js'

/** The latest timestamp that a window may begin with, in steps of 20 ms: one second. */
const maxInitialTimestamp = 50

/** Excludes tokens as OpenAI's decoder does: no annotations, and timestamps in pairs that never go back. */
export class LogitFilter {
  private readonly suppressed: readonly number[]

  constructor(private readonly tokenizer: Tokenizer) {
    this.suppressed = suppressedTokens(tokenizer)
  }

  /** Sets the logits of tokens that may not follow the given ones to -Infinity. */
  apply(logits: Float32Array, tokens: readonly number[]): void {
    for (const token of this.suppressed) logits[token] = -Infinity
    if (tokens.length === 0) this.requireTimestamp(logits)
    else this.orderTimestamps(logits, tokens)
    this.preferTimestamp(logits)
  }

  private requireTimestamp(logits: Float32Array): void {
    const { firstTimestamp } = this.tokenizer
    logits.fill(-Infinity, 0, firstTimestamp)
    logits.fill(-Infinity, firstTimestamp + maxInitialTimestamp + 1)
  }

  private orderTimestamps(logits: Float32Array, tokens: readonly number[]): void {
    const { tokenizer } = this
    const { firstTimestamp, end } = tokenizer
    const isTimestamp = (token: number | undefined) => token === undefined || tokenizer.isTimestamp(token)
    const [lastIsTimestamp, previousIsTimestamp] = [isTimestamp(tokens.at(-1)), isTimestamp(tokens.at(-2))]
    if (lastIsTimestamp && previousIsTimestamp) logits.fill(-Infinity, firstTimestamp)
    else if (lastIsTimestamp) logits.fill(-Infinity, 0, end)
    const latest = tokens.findLast((token) => tokenizer.isTimestamp(token))
    // the decoded text took some time
    if (latest !== undefined)
      logits.fill(-Infinity, firstTimestamp, lastIsTimestamp && !previousIsTimestamp ? latest : latest + 1)
  }

  /** Allows only timestamps where all of them together are more probable than any token of text. */
  private preferTimestamp(logits: Float32Array): void {
    const { firstTimestamp } = this.tokenizer
    const [text, times] = [logits.subarray(0, firstTimestamp), logits.subarray(firstTimestamp)]
    if (logSumExp(times) > maxOf(text)) text.fill(-Infinity)
  }
}

export const logSumExp = (values: Float32Array): number => {
  const max = maxOf(values)
  if (max === -Infinity) return max
  let sum = 0
  for (const value of values) sum += Math.exp(value - max)
  return max + Math.log(sum)
}

/** OpenAI's `non_speech_tokens`: signs that annotate audio instead of transcribing it. */
const annotationSigns = [
  ...Array.from('"#()*+/:;<=>@[\\]^_`{|}~「」『』'),
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
]
const music = Array.from('♩♪♫♬♭♮♯')

/** Tokens that transcripts never have: lone annotation signs, all beginnings of music signs, and special tokens. */
const suppressedTokens = (tokenizer: Tokenizer): number[] => {
  const found = new Set<number>()
  for (const beginning of [' -', " '"]) found.add(tokenizer.encode(beginning)[0] ?? tokenizer.start)
  for (const sign of [...annotationSigns, ...music])
    for (const tokens of [tokenizer.encode(sign), tokenizer.encode(` ${sign}`)])
      if (tokens[0] !== undefined && (tokens.length === 1 || music.includes(sign))) found.add(tokens[0])
  return [...found, tokenizer.start, ...specialTokens.map((name) => tokenizer.special(name))]
}
