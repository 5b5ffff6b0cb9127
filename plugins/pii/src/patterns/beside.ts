/** What may, and what must not, stand beside what patterns find. */

import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

const parser = new RegExpParser({ ecmaVersion: 2024 })

const anyLetter = String.raw`\p{L}`
const latinLetter = String.raw`\p{Script=Latin}`

/** Letters of the scripts of most people, without signs of theirs: sets of all letters take much code. */
const otherLetter = String.raw`[\u0370-\u037d\u037f-\u0386\u0388-\u0588\u0591-\u060b\u060d-\u061a\u0620-\u06d3\u06d5-\u0963\u0966-\u1fff\u3041-\u30fa\u30fc-\ud7ff\uf900-\ufdff]`

/** Letters of scripts that put no spaces between words, or endings behind them: others may stand beside a word. */
export const joining = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`

/**
 * Not between two letters of other scripts, beside which {@link inAnyScript} lets matches begin: what goes on over
 * hundreds of letters would be tried from each of them.
 */
export const beginsWord = `(?!(?<=${otherLetter})${otherLetter})`

/**
 * The pattern, whose matches must have no letter beside them, with Latin letters meant: numbers and addresses stand
 * between letters of other scripts, many of which put no spaces between words.
 */
export const besideOtherScripts = (regex: RegExp): RegExp => {
  const { source } = regex
  const letters: { readonly start: number; readonly end: number }[] = []
  let negated = 0
  visitRegExpAST(parser.parsePattern(source, undefined, undefined, { unicode: true }), {
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

/** A comma behind a zero parts decimals, unless the zero is a number of a row itself. A larger set takes much code. */
export const beforeDecimals = '[ \\t=:~+-]0,'

/**
 * What must not stand beside a number of eight digits and more. Full stops and dashes belong to longer numbers; a comma
 * parts the numbers of a row, `1,4111111111111111,20`: of thousands, a group has three digits.
 */
export const beforeNumber = String.raw`(?<![\p{L}\p{N}]|\d[-.]|${beforeDecimals})`

/** Two digits behind a comma are cents where a currency, or a word, follows. */
const cents = String.raw`,\d\d ?[€$£¥A-Za-z]`

export const behindNumber = String.raw`(?![\p{L}\p{N}]|[-.]\d|${cents})`

/** A number that stands alone, or in a row of others. */
export const inRows = (source: string, flags = 'u'): RegExp => new RegExp(beforeNumber + source + behindNumber, flags)

/** A letter of a word or a suffix that is written to a number: `card4111111111111111`, `4111111111111111L`. */
const letter = String.raw`[A-Za-z\u00c0-\u024f]`

/** Where a number may begin: alone, or behind a row of letters alone, which no digit of an identifier stands in. */
export const behindWord = String.raw`(?<=(?<![\p{L}\p{N}]|\d[.,-]|[$€£¥] ?|${beforeDecimals})${letter}{0,24})`

/** Behind a letter, which {@link behindWord} has looked at. */
export const behindLetter = `(?<=${letter})`

/** Where a number may end that has no letter before it; one that has ends as others do. */
export const beforeWord = (digits: string): string =>
  String.raw`(?:(?![\p{L}\p{N}]|[.,-]\d)|(?<!${letter}${digits})(?=${letter}{1,12}(?![\p{L}\p{N}]|[.,-]\d)))`

/** Bytes in base64, in which short patterns match by chance where a sign of it stands beside them. */

const row = String.raw`(?=[A-Za-z+/]{0,15}\d)[A-Za-z\d+/]{16}`

export const notBehindBytes = String.raw`(?<!${row}[+/])`
export const notBeforeBytes = String.raw`(?![+/]${row})`
