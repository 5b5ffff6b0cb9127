/** Finds positions where a text can be cut into parts that can be read by themselves. */

import { characterStart } from '@sallyport/kit/text'

/** A sentence shorter than this many UTF-16 code units is joined to the next one. */
export const minSentence = 16

/** Words after which a full stop does not end a sentence: titles, abbreviations, initials. */
const abbreviated =
  /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Gen|Col|Lt|Capt|Sgt|Hon|Inc|Ltd|Co|Corp|No|Vol|Fig|vs|etc|approx|\p{Lu}|\p{L}(?:\.\p{L})+)\.$/u

/** UTF-16 code units before a full stop that are searched for an abbreviation. */
const maxAbbreviation = 16

/** Whether the full stop before a position in a text from `start` on ends an abbreviation. */
export const endsAbbreviation = (text: string, start: number, position: number): boolean =>
  abbreviated.test(text.slice(Math.max(start, position - maxAbbreviation), position))

/**
 * The first end of a sentence or line after `from`. It depends on the text up to the cut and one more code unit, so it
 * does not move as the text grows.
 * @param start where the part begins
 * @param minLength minimum length of the part in UTF-16 code units
 * @returns undefined where there is none before the last character
 */
export const nextBoundary = (text: string, start: number, from: number, minLength: number): number | undefined => {
  for (let position = Math.max(from + 1, start + minLength); position < text.length; position += 1)
    if (isBoundary(text, start, position)) return position
  return undefined
}

/** Whether a text, which may grow later, ends with a sentence or a line. */
export const endsAtBoundary = (text: string, start: number): boolean =>
  text.length >= start + minSentence && isBoundary(text, start, text.length)

const isBoundary = (text: string, start: number, position: number): boolean => {
  if (isSpace(text, position) || !isSpace(text, position - 1))
    return endsWith(text, position, wideTerminators, wideClosers)
  let end = position
  while (end > start && isSpace(text, end - 1)) end -= 1
  if (text.slice(end, position).includes('\n')) return true
  return endsWith(text, end, terminators, closers) && !endsAbbreviation(text, 0, end)
}

const isSpace = (text: string, position: number): boolean => /\s/u.test(text[position] ?? '')

const terminators = '.!?…'
const closers = `"'”’»)]*_`
/** Sentence-final punctuation of scripts that write no spaces between sentences. */
const wideTerminators = '。！？'
const wideClosers = '」』）”’'

/** Whether a terminator with all its closing quotes and brackets ends at the position. */
const endsWith = (text: string, position: number, terminator: string, closer: string): boolean => {
  if (closer.includes(text[position] ?? ' ')) return false
  let last = position - 1
  while (closer.includes(text[last] ?? ' ')) last -= 1
  return terminator.includes(text[last] ?? ' ')
}

const hex = String.raw`[\da-fA-F]`
const percent = '%(?:25)*'
const commented = '(?:[^<-]|-(?!->)|<(?!!--)){0,1024}'
const quoted = String.raw`(?:[^<>"']|"[^"<]{0,256}"|'[^'<]{0,256}'){0,1024}`
const attributes = String.raw`[\s/](?:${quoted}|(?!${quoted}>)[^<>]{0,1024})`
const element = `(?:<!--${commented}-->|</?[a-zA-Z]{1,6}(?:${attributes})?>)`
const openAttributes = String.raw`[\s/](?:${quoted}(?:"[^"<]{0,256}|'[^'<]{0,256})?|[^<>]{0,1024})`
const openElement = `<(?:!(?:-(?:-${commented})?)?|/?(?:[a-zA-Z]{1,6}(?:${openAttributes})?)?)`

/** The beginnings of what a reading undoes, also where it is escaped itself. */
const unfinishedEscapes = [
  // Programs, in which two codes may be one character, and CSS, with a blank that ends a code; codes of terminals.
  String.raw`(?<!\\)(?:\\+u[dD][89abAB]${hex}{2})?\\+(?:[uUxN]?\{?(?:U\+)?${hex}{0,8} ?|N\{[A-Za-z -]{0,24})`,
  String.raw`(?:\u001b|(?<!\\)\\+(?:0?33|x1[bB]|e))\[?[\d;]{0,16}`,
  String.raw`U(?:\+0{0,2}[2-7]?)?`,
  // HTML, whose numbers may have any zeros before them.
  String.raw`&(?:amp;)*(?:#\d*|#[xX]${hex}*|[a-zA-Z]{0,21}\d{0,2})`,
  `(?=<)${element}{0,8}(?:${openElement})?`,
  // URLs: a character has up to four bytes.
  String.raw`(?:${percent}[c-fC-F]${hex}(?:${percent}[89abAB]${hex}){0,2})?${percent}${hex}?`,
  String.raw`${percent}(?:[c-fC-F]${hex}(?:${percent}[89abAB]${hex}){0,2}|[uU]${hex}{0,3})`,
  // Mail: quoted-printable, UTF-7.
  String.raw`=(?:${hex}{0,2}|\r?\n?)`,
  String.raw`\+(?:A[A-Za-z\d/]{0,239}-?)?`,
  // The next byte of a row in hexadecimal, and empty emphasis.
  String.raw`(?<=${hex}{2})[ ,:;_-]{1,2}(?:0[xX]?|\\[xX]?)?${hex}?`,
  String.raw`\*{1,4}`,
]
/** An escape behind a broken line of mail may continue the word before it. */
const unfinishedEscape = new RegExp(`(?:=\\r?\\n)?(?:${unfinishedEscapes.join('|')})$`)

/** How many UTF-16 code units at the end of a text are searched for the beginning of an escape. */
const maxUnfinished = 16_384

/** The text without an escape or element that its end cuts off, which readings cannot undo. */
export const withoutCutEscape = (text: string): string => {
  const end = text.slice(-maxUnfinished)
  return text.slice(0, text.length - end.length + (unfinishedEscape.exec(end)?.index ?? end.length))
}

/** The beginning of a JSON escape of any depth, or of a number of HTML with any zeros, in which a text is not cut. */
const cutEscape = /(?:(?<!\\)\\+(?:u[\da-f]{0,3})?|&#x?[\da-f]*)$/i

/** How many UTF-16 code units before a cut are searched for an escape that it would cut. */
const maxEscape = 1024

/** The last safe position up to `limit`: between two words, or else between two characters. */
export const lastBoundary = (
  text: string,
  start: number,
  limit: number,
  isSafe: (position: number) => boolean,
): number | undefined => {
  const canCut = (position: number) =>
    isSafe(position) && !cutEscape.test(text.slice(Math.max(0, position - maxEscape), position))
  const word = lastWhere(limit, start, (position) => isSpace(text, position - 1) && canCut(position))
  if (word !== undefined) return word
  // A character may be longer than a segment, such as a letter with thousands of marks.
  const anywhere = lastWhere(limit, start, (at) => characterStart(text, at) === at && canCut(at))
  if (anywhere === undefined) return undefined
  const from = Math.max(start, anywhere - maxSearched)
  const between = Array.from(graphemes.segment(text.slice(from, anywhere + maxGrapheme)), ({ index }) => from + index)
  return between.findLast((position) => position > start && position <= anywhere && canCut(position)) ?? anywhere
}

const lastWhere = (limit: number, start: number, fits: (position: number) => boolean): number | undefined => {
  for (let position = limit; position > start; position -= 1) if (fits(position)) return position
  return undefined
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Code units after a cut that show whether a character continues. */
const maxGrapheme = 64
/** Code units before a cut that are segmented; in V8 each grapheme keeps a copy of the whole input. */
const maxSearched = 8192
