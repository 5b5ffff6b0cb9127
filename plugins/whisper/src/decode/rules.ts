import { maxOf } from '@sallyport/kit/lists'
import type { Vocabulary } from './vocabulary.js'

/** Places of time that a window may begin with: the first second. */
const latestBeginning = 50

/** What may come next, as OpenAI's decoder has it: no annotations, times in pairs and never going back. */
export class Rules {
  private readonly never: readonly number[]

  constructor(private readonly vocabulary: Vocabulary) {
    this.never = neverSaid(vocabulary)
  }

  /** Sets logits of what may not follow the tokens said so far to -Infinity. */
  apply(logits: Float32Array, said: readonly number[]): void {
    for (const token of this.never) logits[token] = -Infinity
    if (said.length === 0) this.begin(logits)
    else this.keepTimes(logits, said)
    this.preferTime(logits)
  }

  private begin(logits: Float32Array): void {
    const { timestamps } = this.vocabulary
    logits.fill(-Infinity, 0, timestamps)
    logits.fill(-Infinity, timestamps + latestBeginning + 1)
  }

  private keepTimes(logits: Float32Array, said: readonly number[]): void {
    const { vocabulary } = this
    const { timestamps, end } = vocabulary
    const isTime = (token: number | undefined) => token === undefined || vocabulary.isTime(token)
    const [last, before] = [isTime(said.at(-1)), isTime(said.at(-2))]
    if (last && before) logits.fill(-Infinity, timestamps)
    else if (last) logits.fill(-Infinity, 0, end)
    const latest = said.findLast((token) => vocabulary.isTime(token))
    // what has been said took some time
    if (latest !== undefined) logits.fill(-Infinity, timestamps, last && !before ? latest : latest + 1)
  }

  /** Allows only times where these together are more probable than any text. */
  private preferTime(logits: Float32Array): void {
    const { timestamps } = this.vocabulary
    const [text, times] = [logits.subarray(0, timestamps), logits.subarray(timestamps)]
    if (logSumExp(times) > maxOf(text)) text.fill(-Infinity)
  }
}

export const logSumExp = (values: Float32Array): number => {
  const most = maxOf(values)
  if (most === -Infinity) return most
  let sum = 0
  for (const value of values) sum += Math.exp(value - most)
  return most + Math.log(sum)
}

/** OpenAI's `non_speech_tokens`: signs that annotate what is heard instead of writing it down. */
const signs = [
  ...Array.from('"#()*+/:;<=>@[\\]^_`{|}~「」『』'),
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
]
const music = Array.from('♩♪♫♬♭♮♯')

/** Tokens that transcripts never have: {@link signs} by themselves, and special ones. */
const neverSaid = (vocabulary: Vocabulary): number[] => {
  const found = new Set<number>()
  for (const begin of [' -', " '"]) found.add(vocabulary.encode(begin)[0] ?? vocabulary.start)
  for (const sign of [...signs, ...music])
    for (const tokens of [vocabulary.encode(sign), vocabulary.encode(` ${sign}`)])
      if (tokens[0] !== undefined && (tokens.length === 1 || music.includes(sign))) found.add(tokens[0])
  const tasks = (
    ['transcribe', 'translate', 'startOfModel', 'startOfPrevious', 'noSpeech', 'noTimestamps'] as const
  ).map((name) => vocabulary.task(name))
  return [...found, vocabulary.start, ...tasks].sort((a, b) => a - b)
}
