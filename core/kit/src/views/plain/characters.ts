/** The plain forms of single characters. */

import { shownBy } from './symbols.js'

/**
 * Characters without an agreed shape: controls other than white space, format characters, fillers, private and
 * unassigned characters, replacement characters, halves of surrogate pairs, and skin tones, which are not text on an
 * emoji.
 */
const invisible =
  /(?![\t-\r\u0085])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\ufffc\ufffd\u{1d159}]/u
const decimal = /^\p{Nd}$/u
const replacements: readonly (readonly [RegExp, string])[] = [
  [invisible, ''],
  [/[\p{Zs}\u2800]/u, ' '],
  [/[\u0085\u2028\u2029]/u, '\n'],
  [/[\p{Pd}\u2212]/u, '-'],
  [/[\u2018\u2019\u201b\u02bc\uff07]/u, "'"],
  [/[\u201c\u201d\u201e\uff02]/u, '"'],
]

/** UTF-16 code units of the longest plain form. */
export const maxPlainLength = 3

/** Whether a character is its own plain form, as ASCII without controls is. */
export const isPlain = (codePoint: number): boolean =>
  codePoint < 0x7f && (codePoint >= 0x20 || (codePoint >= 0x09 && codePoint <= 0x0d))

const plainByCodePoint = new Map<number, string>()

/** The plain form of a character; empty where it is invisible. */
export const plain = (codePoint: number): string => {
  let result = plainByCodePoint.get(codePoint)
  if (result === undefined) {
    result = plainOf(codePoint)
    plainByCodePoint.set(codePoint, result)
  }
  return result
}

const plainOf = (codePoint: number): string => {
  const character = String.fromCodePoint(codePoint)
  for (const [pattern, result] of replacements) if (pattern.test(character)) return result
  const shown = shownBy(codePoint)
  if (shown !== undefined) return shown
  const folded = character.normalize('NFKC')
  if (decimal.test(folded)) return digitOf(folded)
  return folded.length <= maxPlainLength ? folded : character
}

/** Digits are in rows of ten that begin where the last four bits are 0 or 6. */
const digitOf = (character: string): string => {
  const codePoint = character.codePointAt(0) ?? 0
  const low = codePoint & 0xf
  const fromZero = low < 6 || (low < 10 && decimal.test(String.fromCodePoint(codePoint - low)))
  return String(fromZero ? low : low - 6)
}

/** Marks that no script needs: accents, lines and circles around characters, and variation selectors. */
const ornament =
  /[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u{e0100}-\u{e01ef}]/u
const mark = /\p{M}/u
const firstMark = 0x300
const beyondLatin = 0x250

const marks = new Map<number, 'ornament' | 'mark' | 'none'>()

/** Whether a character is a mark that only decorates the one before it. @param before a UTF-16 code unit */
export const isOrnament = (codePoint: number, before: number): boolean => {
  if (codePoint < firstMark) return false
  let kind = marks.get(codePoint)
  if (kind === undefined) {
    const character = String.fromCodePoint(codePoint)
    kind = ornament.test(character) ? 'ornament' : mark.test(character) ? 'mark' : 'none'
    marks.set(codePoint, kind)
  }
  return kind === 'ornament' || (kind === 'mark' && before < beyondLatin)
}

export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57

export const isLatin = (unit: number): boolean => (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)

/** Whether a UTF-16 code unit belongs to a word. Roughly: digits, letters, and all from U+00C0 on but punctuation. */
export const isInWord = (unit: number): boolean =>
  isDigit(unit) ||
  isLatin(unit) ||
  (unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x206f) && !(unit >= 0x3000 && unit <= 0x303f))
