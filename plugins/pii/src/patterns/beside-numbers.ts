/**
 * What must not stand beside a number of eight digits and more. Full stops and dashes belong to longer numbers; a comma
 * parts the numbers of a row, `1,4111111111111111,20`: of thousands, a group has three digits.
 */

/** A comma behind a zero parts decimals, unless the zero is a number of a row itself. A larger set takes much code. */
export const beforeDecimals = '[ \\t=:~+-]0,'

export const beforeNumber = String.raw`(?<![\p{L}\p{N}]|\d[-.]|${beforeDecimals})`

/** Two digits behind a comma are cents where a currency, or a word, follows. */
const cents = String.raw`,\d\d ?[€$£¥A-Za-z]`

export const behindNumber = String.raw`(?![\p{L}\p{N}]|[-.]\d|${cents})`

/** A number that stands alone, or in a row of others. */
export const inRows = (source: string, flags = 'u'): RegExp => new RegExp(beforeNumber + source + behindNumber, flags)

/** Of a word or a suffix that is written to a number: `card4111111111111111`, `4111111111111111L`. */
const letter = String.raw`[A-Za-z\u00c0-\u024f]`

/** Where a number may begin: alone, or behind a row of letters alone, which no digit of an identifier stands in. */
export const behindWord = String.raw`(?<=(?<![\p{L}\p{N}]|\d[.,-]|[$€£¥] ?|${beforeDecimals})${letter}{0,24})`

/** Behind a letter, which {@link behindWord} has looked at. */
export const behindLetter = `(?<=${letter})`

/** Where a number may end that has no letter before it; one that has ends as others do. */
export const beforeWord = (digits: string): string =>
  String.raw`(?:(?![\p{L}\p{N}]|[.,-]\d)|(?<!${letter}${digits})(?=${letter}{1,12}(?![\p{L}\p{N}]|[.,-]\d)))`
