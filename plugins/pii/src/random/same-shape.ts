import type { Randomness } from './randomness.js'

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')

const latin = range(0x61, 0x7a)
const digits = '0123456789'

/** The replacements of letters by script; letters of other scripts become Latin ones. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Latin}/u, latin],
  [/\p{Script=Cyrillic}/u, range(0x430, 0x44f)],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Han}/u, range(0x4e00, 0x4fff)],
  [/\p{Script=Hiragana}/u, range(0x304b, 0x3062)],
  [/\p{Script=Katakana}/u, range(0x30ab, 0x30c2)],
  [/\p{Script=Hangul}/u, range(0xac00, 0xae00)],
  [/\p{Script=Hebrew}/u, range(0x5d0, 0x5e9)],
  [/\p{Script=Arabic}/u, range(0x628, 0x63a)],
  [/\p{Script=Thai}/u, range(0xe01, 0xe2e)],
  [/\p{Script=Devanagari}/u, range(0x915, 0x939)],
]

/** Replaces letters by letters of the same case and script, and digits by digits; the rest stays. */
export const sameShape = (original: string, random: Randomness): string =>
  original.replaceAll(/\p{L}|\p{N}/gu, (character) => {
    if (/\p{N}/u.test(character)) return random.oneOf(digits)
    const letters = scripts.find(([script]) => script.test(character))?.[1] ?? latin
    const letter = random.oneOf(Array.from(letters))
    return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter
  })
