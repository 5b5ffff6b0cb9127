import { neverSaid } from './never-said.js'
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

  /** Where a time is more probable than any text, it is one. */
  private preferTime(logits: Float32Array): void {
    const { timestamps } = this.vocabulary
    const [text, times] = [logits.subarray(0, timestamps), logits.subarray(timestamps)]
    if (logSumExp(times) > largest(text)) text.fill(-Infinity)
  }
}

export const largest = (values: Float32Array): number => {
  let most = -Infinity
  for (const value of values) if (value > most) most = value
  return most
}

export const logSumExp = (values: Float32Array): number => {
  const most = largest(values)
  if (most === -Infinity) return most
  let sum = 0
  for (const value of values) sum += Math.exp(value - most)
  return most + Math.log(sum)
}
