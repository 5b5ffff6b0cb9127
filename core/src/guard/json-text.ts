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

/** Tells in which string of a text that is JSON, quotes included, a span begins; numbers stand in none. */
export const stringsIn = (json: string): ((span: Span) => Span | undefined) => {
  const found = Array.from(json.matchAll(strings), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
  const starts = found.map(({ start }) => start)
  return ({ start }) => {
    const last = found[countUpTo(starts, start) - 1]
    return last && start < last.end ? last : undefined
  }
}
