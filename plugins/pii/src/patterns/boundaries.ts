/** Sources of patterns for what may and must not be beside a match. */

import { visitRegExpAST } from '@eslint-community/regexpp'
import { parse } from '../regex/parse.js'

const anyLetter = String.raw`\p{L}`
const latinLetter = String.raw`\p{Script=Latin}`

/** Letters of the most common other scripts. Sets of all letters compile to much code. */
const otherLetter = String.raw`[\u0370-\u037d\u037f-\u0386\u0388-\u0588\u0591-\u060b\u060d-\u061a\u0620-\u06d3\u06d5-\u0963\u0966-\u1fff\u3041-\u30fa\u30fc-\ud7ff\uf900-\ufdff]`

/** Letters of scripts without spaces between words, or with attached endings: they may be right beside a word. */
export const unspacedScripts = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`

/**
 * Excludes places between two letters of other scripts, where {@link besideOtherScripts} lets matches begin: a pattern
 * that spans hundreds of letters would be tried from each of them.
 */
export const beginsWord = `(?!(?<=${otherLetter})${otherLetter})`

/**
 * Makes a pattern exclude only Latin letters beside its matches rather than all letters: in scripts without spaces,
 * numbers and addresses are right beside other letters.
 */
export const besideOtherScripts = (regex: RegExp): RegExp => {
  const { source } = regex
  const letters: { readonly start: number; readonly end: number }[] = []
  let negated = 0
  visitRegExpAST(parse(regex), {
    onAssertionEnter: (assertion) => {
      if ('negate' in assertion && assertion.negate) negated += 1
    },
    onAssertionLeave: (assertion) => {
      if ('negate' in assertion && assertion.negate) negated -= 1
    },
    onCharacterSetEnter: ({ raw, start, end }) => {
      if (negated && raw === anyLetter) letters.push({ start, end })
    },
  })
  const parts = letters.map(({ start }, at) => source.slice(letters[at - 1]?.end ?? 0, start))
  return new RegExp([...parts, source.slice(letters.at(-1)?.end ?? 0)].join(latinLetter), regex.flags)
}

/**
 * A zero and a comma, which decimals follow, unless the zero is an item of a list. A larger set would compile to much
 * code.
 */
export const beforeDecimals = '[ \\t=:~+-]0,'

/**
 * What must not precede a number of eight or more digits. Dots and dashes belong to longer numbers; a comma separates
 * the numbers of a list (`1,4111111111111111,20`), since groups of thousands have three digits.
 */
export const beforeNumber = String.raw`(?<![\p{L}\p{N}]|\d[-.]|${beforeDecimals})`

/** Two digits after a comma, which are cents where a currency or a word follows. */
const cents = String.raw`,\d\d ?[€$£¥A-Za-z]`

export const afterNumber = String.raw`(?![\p{L}\p{N}]|[-.]\d|${cents})`

/** A pattern for a number that is alone or in a list. */
export const aloneOrInList = (source: string, flags = 'u'): RegExp =>
  new RegExp(beforeNumber + source + afterNumber, flags)

/** A letter of a word or suffix without a space beside a number: `card4111111111111111`, `4111111111111111L`. */
const letter = String.raw`[A-Za-z\u00c0-\u024f]`

/** Where a number may begin: by itself or right after a word, but not within an identifier with other digits. */
export const afterWord = String.raw`(?<=(?<![\p{L}\p{N}]|\d[.,-]|[$€£¥] ?|${beforeDecimals})${letter}{0,24})`

/** A place after a letter, which {@link afterWord} has already checked. */
export const afterLetter = `(?<=${letter})`

/** Where a number may end: right before a word only if no letter precedes the number. */
export const beforeWord = (digits: string): string =>
  String.raw`(?:(?![\p{L}\p{N}]|[.,-]\d)|(?<!${letter}${digits})(?=${letter}{1,12}(?![\p{L}\p{N}]|[.,-]\d)))`

/** A run of base64, in which short patterns match by chance next to `+` or `/`. */
const base64Run = String.raw`(?=[A-Za-z+/]{0,15}\d)[A-Za-z\d+/]{16}`

export const notAfterBase64 = String.raw`(?<!${base64Run}[+/])`
export const notBeforeBase64 = String.raw`(?![+/]${base64Run})`
