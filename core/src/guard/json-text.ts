/** Texts that are JSON stay JSON when something in them is replaced. */

import type { Span } from './readings.js'
import { countUpTo } from './sorted.js'

/** Whether the text is an object or a list of JSON. */
export const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const strings = /"(?:[^"\\]|\\.)*"/gs

/** Tells whether a span of a text that is JSON begins outside its strings, as a number does. */
export const outsideStrings = (json: string): ((span: Span) => boolean) => {
  const found = Array.from(json.matchAll(strings))
  const starts = found.map(({ index }) => index)
  return ({ start }) => {
    const last = found[countUpTo(starts, start) - 1]
    return last === undefined || start >= last.index + last[0].length
  }
}
