import { sentencesOf } from './comparable.js'
import type { Sentence } from './comparable.js'

/** UTF-16 units of a claim; what is longer is no sentence, and is judged in parts. */
const longest = 2_000

/** The sentences of a text, without the blanks around them. */
export const claimsOf = (text: string): Sentence[] =>
  sentencesOf(text).flatMap((sentence) => {
    const start = sentence.start + sentence.text.length - sentence.text.trimStart().length
    const end = sentence.start + sentence.text.trimEnd().length
    return Array.from({ length: Math.ceil((end - start) / longest) }, (_, part) => {
      const from = start + part * longest
      const to = Math.min(end, from + longest)
      return { text: text.slice(from, to), start: from, end: to }
    })
  })
