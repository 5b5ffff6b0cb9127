/** What a recogniser of lines says, step by step, made text (connectionist temporal classification). */

export interface Decoded {
  readonly text: string
  /** The mean of the probabilities of the characters; 0 where there are none. */
  readonly confidence: number
}

/**
 * Takes the most probable class of every step. A class that is repeated is one character, unless the blank, class 0,
 * stands between.
 * @param probabilities step by step, those of every class, which sum up to one
 * @param characters of the classes from 1 on
 */
export const decodeCtc = (probabilities: Float32Array, characters: readonly string[]): Decoded => {
  const classes = characters.length + 1
  let [text, sum, count, before] = ['', 0, 0, 0]
  for (let start = 0; start + classes <= probabilities.length; start += classes) {
    const best = mostProbable(probabilities, start, classes)
    if (best !== 0 && best !== before) {
      text += characters[best - 1] ?? ''
      sum += probabilities[start + best] ?? 0
      count++
    }
    before = best
  }
  return { text, confidence: count > 0 ? Math.min(1, sum / count) : 0 }
}

/** Stops at a probability of more than one half: there are thousands of classes, and only one can have that. */
const mostProbable = (values: Float32Array, start: number, count: number): number => {
  let best = 0
  let value = -Infinity
  for (let index = 0; index < count; index++) {
    const one = values[start + index] ?? 0
    if (one <= value) continue
    best = index
    value = one
    if (one > 0.5) break
  }
  return best
}
