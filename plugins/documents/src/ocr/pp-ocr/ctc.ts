/** Decodes the output of a line recogniser (connectionist temporal classification). */

export interface DecodedLine {
  readonly text: string
  /** The mean of the probabilities of the characters; 0 where there are none. */
  readonly confidence: number
}

export const noText: DecodedLine = { text: '', confidence: 0 }

/**
 * Greedy decoding: takes the most probable class of each step. A repeated class is one character, unless the blank,
 * class 0, comes between.
 * @param probabilities of all classes step by step, which sum up to one per step
 * @param characters of the classes from 1 on
 */
export const decodeCtc = (probabilities: Float32Array, characters: readonly string[]): DecodedLine => {
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

/** Stops at a probability above one half, which only one of the thousands of classes can have. */
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
