import { compileRecognizer } from '../matching/compiled.js'
import { findIn } from '../matching/find.js'
import type { Recognizer } from '../recognizers/recognizer.js'

/** Splits an example into its text and the match expected in brackets; without these, one must end where the text does. */
export const exampleOf = (example: string): { text: string; expected?: string } => {
  const [, before = '', expected, after = ''] = /^([^]*?)\[([^]*)\]([^]*)$/.exec(example) ?? []
  return expected === undefined ? { text: example } : { text: before + expected + after, expected }
}

/** @throws Error for an example whose expected match is not found, or a counter-example in which anything is found */
export const checkExamples = (recognizer: Recognizer): void => {
  const compiled = compileRecognizer(recognizer)
  const find = (text: string) => findIn(text, compiled).map(({ start, end }) => text.slice(start, end))
  for (const example of recognizer.examples) {
    const { text, expected } = exampleOf(example)
    const isFound = find(text).some((one) => (expected === undefined ? text.endsWith(one) : one === expected))
    if (!isFound) throw new Error(`finds ${JSON.stringify(find(text))} in its example "${example}"`)
  }
  for (const text of recognizer.counterExamples)
    if (find(text).length) throw new Error(`finds ${JSON.stringify(find(text))} in its counter-example "${text}"`)
}
