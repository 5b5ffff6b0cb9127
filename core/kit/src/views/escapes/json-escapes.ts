/** Escapes of JSON, wherever they are: a text need not be JSON as a whole to be read as such. */

import type { Edit } from '../edited.js'

/** RFC 8259, section 7. */
const form = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const escape = new RegExp(form, 'g')

/** The characters that escapes of JSON stand for, as parsers undo them. */
export function* jsonCharactersIn(text: string): Generator<Edit> {
  if (!text.includes('\\')) return
  for (const { 0: written, 1: code, 2: letter = '', index } of text.matchAll(escape)) {
    const replacement = code === undefined ? (letters[letter] ?? letter) : String.fromCharCode(parseInt(code, 16))
    yield { start: index, end: index + written.length, replacement }
  }
}

const escapeHere = new RegExp(form, 'y')

/** `\u0041` */
const maxEscapeLength = 6

/** How many backslashes end at a position: every other one of a row begins an escape. */
export const backslashesBefore = (text: string, end: number): number => {
  let start = end
  while (text[start - 1] === '\\') start -= 1
  return end - start
}

/** The end of the escape in which a position lies, or else the position. */
export const afterEscape = (text: string, position: number): number => {
  for (let begin = position - 1; begin > position - maxEscapeLength; begin -= 1) {
    if (text[begin] !== '\\' || backslashesBefore(text, begin) % 2) continue
    escapeHere.lastIndex = begin
    const end = begin + (escapeHere.exec(text)?.[0].length ?? 0)
    if (end > position) return end
  }
  return position
}
