import { plainText, readingsOf } from '@sallyport/kit/views'
import { compilePattern } from '../patterns/compile.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import type { CompiledRecognizer } from './compiled.js'
import { findIn, foundFrom } from './find.js'
import type { Found, Search } from './find.js'
import { matchesOf } from './search.js'
import type { Match } from './search.js'

/** Letters of base64, in either alphabet. */
const letter = String.raw`[A-Za-z\d+/_-]`
/** In base64 of a text, unlike words: decoding each of them would take longer than all patterns. */
const mixed = '(?:[a-z\\d][A-Z]|[A-Z](?:\\d|[A-Z][a-z]))'
/** Between the pieces of one that is cut: blanks, ends of lines, and strings that are put together. */
const cut = String.raw`(?:[\s>]{1,8}|["'\x60][\s+.&,\\]{0,10}["'\x60])`
const word = `[A-Za-z][a-z]{0,75}(?!${letter})`
const notWord = String.raw`(?:[\d+/_-]|(?:[a-z]{1,76}|[A-Z][a-z]{0,75})[A-Z\d+/_-])`

/** Of a longer row, the beginning is read. Of pieces, one in two may look like a word. */
const regex = new RegExp(
  `(?<!${letter})${letter}{0,126}?${mixed}${letter}{0,2048}` +
    `(?:(?:${cut}${word})?${cut}${notWord}${letter}{0,76}){0,15}(?:${cut}${word})?={0,2}`,
  'u',
)
export const encodedPattern = { ...compilePattern(regex), overlapping: true }

/** Of pieces that are read together: what is looked for is shorter, and each of them is a beginning. */
const longestJoined = 256
const shortest = 12

interface Row {
  readonly row: string
  /** Where it ends in the match. */
  readonly end: number
}

/** Rows of letters of base64, each with where it ends; what joins strings is no letter. */
const piecesOf = (match: string): Row[] => {
  const apart = match.replace(/["'`][^"'`]*["'`]/g, (join) => ' '.repeat(join.length))
  return [...apart.matchAll(/[A-Za-z\d+/_-]+/g)].map(({ 0: row, index }) => ({ row, end: index + row.length }))
}

/** The rows of base64 in a match: pieces of one length joined; a shorter one may be the last. */
const rowsIn = (match: string): Row[] => {
  const pieces = piecesOf(match)
  const length = pieces[0]?.row.length ?? 0
  const other = pieces.findIndex(({ row }) => row.length !== length)
  const alike = other < 0 ? pieces.length : other
  const most = Math.max(1, Math.floor(longestJoined / length))
  const joined = (pieceCount: number): Row => ({
    row: pieces
      .slice(0, pieceCount)
      .map(({ row }) => row)
      .join(''),
    end: pieces[pieceCount - 1]?.end ?? 0,
  })
  const ofOneLength = joined(Math.min(alike, most))
  const isLast = alike < most && (pieces[alike]?.row.length ?? length) < length
  return isLast ? withLast(match, ofOneLength, joined(alike + 1)) : [ofOneLength]
}

/** The last piece may be a word: whole groups of four tell that it is none, and padding. */
const withLast = (match: string, without: Row, complete: Row): Row[] =>
  complete.row.length % 4 === 0 || match[complete.end] === '=' ? [complete, without] : [without, complete]

/** What most of a text consists of, and few bytes that are none. */
const printable = /[\t\n\r\x20-\x7e\x80-\uffff]/g
const leastPrintable = 0.9

/** The text that a row begins with; empty where it begins with none. */
const textOf = (row: string): string => {
  const [text = ''] = Buffer.from(row, 'base64').toString().split('\ufffd', 1)
  return (text.match(printable)?.length ?? 0) >= text.length * leastPrintable ? text : ''
}

const score = 0.9
/** Of what is looked for. */
const shortestText = 6

/** What the recognisers find in the base64 of a match: the row as a whole. */
export const encodedAt = (
  text: string,
  { start, end }: Match,
  { recognizers, threshold }: Pick<Search, 'recognizers' | 'threshold'>,
): Found | undefined => {
  if (score < threshold) return undefined
  const match = text.slice(start, end)
  for (const { row, end: length } of rowsIn(match)) {
    const decoded = row.length < shortest ? '' : textOf(row)
    if (decoded.length < shortestText) continue
    const texts = readingsOf(decoded).map(({ text: reading }) => plainText(reading))
    const found = recognizers.find(
      (one) => isEncoded(one) && texts.some((reading) => findIn(reading, one, foundFrom).length > 0),
    )
    const padding = /^={0,2}/.exec(match.slice(length))?.[0].length ?? 0
    if (found)
      return {
        type: found.recognizer.entity,
        start,
        end: start + length + padding,
        score,
        recognizer: found.recognizer,
      }
  }
  return undefined
}

const isEncoded = ({ recognizer }: { readonly recognizer: Recognizer }): boolean => recognizer.encoded === true

/** Matches of the pattern, where any of the recognisers looks into base64: inside each other, too. */
export const encodedMatches = (
  text: string,
  recognizers: readonly CompiledRecognizer[],
  range: Parameters<typeof matchesOf>[2],
): Iterable<Match | undefined> => (recognizers.some(isEncoded) ? matchesOf(text, encodedPattern, range) : [])
