/** The characters that escapes of regular expressions stand for. */

import { complement, digits, spaces, wordCharacters } from './code-points.js'
import type { CodePoints } from './code-points.js'

/** What no automaton here can hold: look-around, back-references, word boundaries, Unicode properties, bad syntax. */
export class UnsupportedPattern extends Error {}

export const escapes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
export const classes: Readonly<Record<string, CodePoints>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
}
export const syntaxCharacters = '^$\\.*+?()[]{}|/'

export const single = (char: string): CodePoints => {
  const code = char.codePointAt(0) ?? 0
  return [[code, code]]
}

export const controlCharacter = (letter: string): CodePoints => {
  if (!/^[a-zA-Z]$/.test(letter)) throw new UnsupportedPattern()
  return single(String.fromCharCode(letter.charCodeAt(0) % 32))
}

export const hexadecimal = (text: string): CodePoints => {
  const code = /^[0-9a-fA-F]{1,8}$/.test(text) ? parseInt(text, 16) : Infinity
  // half of a pair: two escapes that mean one character
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new UnsupportedPattern()
  return [[code, code]]
}

export const onlyOne = (set: CodePoints): number => {
  const [first] = set
  if (set.length !== 1 || first?.[0] !== first?.[1] || !first) throw new UnsupportedPattern()
  return first[0]
}
