/** What a recogniser of lines says, step by step, made text (connectionist temporal classification). */

export interface Decoded {
  readonly text: string
  /** The mean of the probabilities of the characters; 0 where there are none. */
  readonly confidence: number
}

/**
 * Takes the most probable class of every step. A class that is repeated is one character, unless the blank, class 0,
 * stands between.
 * @param probabilities step by step, those of every class
 * @param characters of the classes from 1 on
 */
export const decodeCtc = (probabilities: Float32Array, characters: readonly string[]): Decoded => {
  const classes = characters.length + 1
  let [text, sum, count, before] = ['', 0, 0, 0]
  for (let start = 0; start + classes <= probabilities.length; start += classes) {
    const [best, probability] = largest(probabilities, start, classes)
    if (best !== 0 && best !== before) {
      text += characters[best - 1] ?? ''
      sum += probability
      count++
    }
    before = best
  }
  return { text, confidence: count > 0 ? sum / count : 0 }
}

const largest = (values: Float32Array, start: number, count: number): [number, number] => {
  let [best, value] = [0, -Infinity]
  for (let index = 0; index < count; index++) {
    const one = values[start + index] ?? 0
    if (one > value) [best, value] = [index, one]
  }
  return [best, value]
}
