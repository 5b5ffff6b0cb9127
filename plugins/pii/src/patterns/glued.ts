/** Numbers with a word or a suffix written to them: `card4111111111111111`, `4111111111111111L`. */

import { beforeDecimals } from './in-rows.js'

const letter = String.raw`[A-Za-z\u00c0-\u024f]`

/** Where a number may begin: alone, or behind a row of letters alone, which no digit of an identifier stands in. */
export const behindWord = String.raw`(?<=(?<![\p{L}\p{N}]|\d[.,-]|[$€£¥] ?|${beforeDecimals})${letter}{0,24})`

/** Behind a letter, which {@link behindWord} has looked at. */
export const behindLetter = `(?<=${letter})`

/** Where a number may end that has no letter before it; one that has ends as others do. */
export const beforeWord = (digits: string): string =>
  String.raw`(?:(?![\p{L}\p{N}]|[.,-]\d)|(?<!${letter}${digits})(?=${letter}{1,12}(?![\p{L}\p{N}]|[.,-]\d)))`
