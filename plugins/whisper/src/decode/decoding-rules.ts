import { maxOf } from '@sallyport/kit/lists'
import type { Vocabulary } from './vocabulary.js'

/** Timestamps, in steps of 20 ms, that a window may begin with: the first second. */
const maxInitialTimestamp = 50

/** Rules of OpenAI's decoder for the next token: no annotations, and timestamps in pairs that never go back. */
export class DecodingRules {
  private readonly suppressed: readonly number[]

  constructor(private readonly vocabulary: Vocabulary) {
    this.suppressed = suppressedTokens(vocabulary)
  }

  /** Sets the logits of tokens that may not follow the given ones to -Infinity. */
  apply(logits: Float32Array, tokens: readonly number[]): void {
    for (const token of this.suppressed) logits[token] = -Infinity
    if (tokens.length === 0) this.requireTimestamp(logits)
    else this.orderTimestamps(logits, tokens)
    this.preferTimestamp(logits)
  }

  private requireTimestamp(logits: Float32Array): void {
    const { timestamps } = this.vocabulary
    logits.fill(-Infinity, 0, timestamps)
    logits.fill(-Infinity, timestamps + maxInitialTimestamp + 1)
  }

  private orderTimestamps(logits: Float32Array, tokens: readonly number[]): void {
    const { vocabulary } = this
    const { timestamps, end } = vocabulary
    const isTime = (token: number | undefined) => token === undefined || vocabulary.isTimestamp(token)
    const [last, before] = [isTime(tokens.at(-1)), isTime(tokens.at(-2))]
    if (last && before) logits.fill(-Infinity, timestamps)
    else if (last) logits.fill(-Infinity, 0, end)
    const latest = tokens.findLast((token) => vocabulary.isTimestamp(token))
    // the decoded text took some time
    if (latest !== undefined) logits.fill(-Infinity, timestamps, last && !before ? latest : latest + 1)
  }

  /** Allows only timestamps where all of them together are more probable than any token of text. */
  private preferTimestamp(logits: Float32Array): void {
    const { timestamps } = this.vocabulary
    const [text, times] = [logits.subarray(0, timestamps), logits.subarray(timestamps)]
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

/** Tokens that transcripts never have: lone {@link annotationSigns}, and special tokens. */
const suppressedTokens = (vocabulary: Vocabulary): number[] => {
  const found = new Set<number>()
  for (const begin of [' -', " '"]) found.add(vocabulary.encode(begin)[0] ?? vocabulary.start)
  for (const sign of [...annotationSigns, ...music])
    for (const tokens of [vocabulary.encode(sign), vocabulary.encode(` ${sign}`)])
      if (tokens[0] !== undefined && (tokens.length === 1 || music.includes(sign))) found.add(tokens[0])
  const tasks = (
    ['transcribe', 'translate', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
  ).map((name) => vocabulary.task(name))
  return [...found, vocabulary.start, ...tasks].sort((a, b) => a - b)
}
