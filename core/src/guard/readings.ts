/** How a text may read to whoever gets it: as it stands, and with its escapes undone, as parsers of JSON undo them. */

import { failure } from '../errors/index.js'
import { countUpTo } from './sorted.js'

/** Half-open, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text with the escapes of some depth undone. */
export interface Reading {
  /** How often escapes were undone: JSON inside a string of JSON has two layers of them. */
  readonly depth: number
  readonly text: string
  /** What of the source a span of the text was written as. */
  readonly sourceOf: (span: Span) => Span
}

/** Each layer doubles the backslashes before an escape: the last one has 64 of them. */
const deepest = 7

/** Backslashes of a text: undoing them holds everything else up, for some 0.2 s at this many. */
const mostBackslashes = 2 ** 17

/** Those of RFC 8259, section 7, wherever they stand: a text need not be JSON as a whole to be read as such. */
const escape = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export const asItStands = (text: string): Reading => ({ depth: 0, text, sourceOf: (span) => span })

/**
 * The text as it stands, and every reading of it that differs, by depth.
 * @throws safeguard_unavailable for a text with more escapes than can be undone
 */
export const readingsOf = (text: string): readonly Reading[] => {
  if (hasMoreBackslashes(text, mostBackslashes))
    throw failure('safeguard_unavailable', { name: `a text has more than ${mostBackslashes} backslashes` })
  const readings: Reading[] = []
  let next: Reading | undefined = asItStands(text)
  while (next && next.depth <= deepest) {
    readings.push(next)
    next = undone(next)
  }
  return readings
}

const hasMoreBackslashes = (text: string, most: number): boolean => {
  let count = 0
  for (let at = text.indexOf('\\'); at >= 0 && count <= most; at = text.indexOf('\\', at + 1)) count += 1
  return count > most
}

/** Undefined where there is nothing to undo. */
const undone = (reading: Reading): Reading | undefined => {
  if (!reading.text.includes('\\')) return undefined
  /** Where each escape ends: in the new text, and in the old one. */
  const ends: { readonly became: number[]; readonly written: number[] } = { became: [], written: [] }
  let saved = 0
  const text = reading.text.replace(escape, (written: string, code: string | undefined, letter: string, at: number) => {
    saved += written.length - 1
    ends.became.push(at + written.length - saved)
    ends.written.push(at + written.length)
    return code === undefined ? (letters[letter] ?? letter) : String.fromCharCode(parseInt(code, 16))
  })
  const before = (position: number): number => {
    const last = countUpTo(ends.became, position) - 1
    return position - (ends.became[last] ?? 0) + (ends.written[last] ?? 0)
  }
  if (saved === 0) return undefined
  return {
    depth: reading.depth + 1,
    text,
    sourceOf: ({ start, end }) => reading.sourceOf({ start: before(start), end: before(end) }),
  }
}

/** Writes a text so that it reads the same at this depth. */
export const writtenAt = (depth: number, text: string): string =>
  depth === 0 ? text : writtenAt(depth - 1, JSON.stringify(text).slice(1, -1))
