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

/** Where the escape ends that a position of a text that is JSON lies in the middle of; otherwise the position. */
export const behindEscape = (json: string, position: number): number => {
  for (let begin = position - 1; begin > position - longestEscape; begin -= 1) {
    if (!isEscapeAt(json, begin)) continue
    const end = begin + (json[begin + 1] === 'u' ? longestEscape : 2)
    return Math.max(position, end)
  }
  return position
}

/** `\u0041` */
const longestEscape = 6

/** Of backslashes in a row, every other one begins an escape. */
const isEscapeAt = (json: string, at: number): boolean => {
  let backslashes = 0
  while (json[at - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
