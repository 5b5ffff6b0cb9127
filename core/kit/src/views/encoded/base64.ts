/** Rows of the letters of base64 and the like, in one or in pieces; and base64 as it comes in a text that grows. */

import { matchesInTurns } from '../matches.js'
import type { Span } from '../view.js'

const letter = String.raw`[A-Za-z\d+/_-]`
const isLetter = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(new RegExp(letter).test(String.fromCharCode(code))),
)

/** Where the letters end that begin there, or so many of them. */
const endOfLetters = (text: string, start: number, most: number): number => {
  const last = Math.min(text.length, start + most)
  let end = start
  while (end < last && isLetter[text.charCodeAt(end)] === 1) end += 1
  return end
}

/** Between two pieces: blanks, ends of lines, and strings that are put together. */
const cut = /(?:[\s>]{1,8}|["'`][\s+.&,\\]{0,10}["'`])/y

/** The pieces of a row that begins there, of one length but for the last, which may be shorter, or a word. */
export function* piecesFrom(text: string, from: number): Generator<Span, void> {
  let [start, end] = [from, endOfLetters(text, from, Infinity)]
  const length = end - start
  yield { start, end }
  while (end - start === length) {
    cut.lastIndex = end
    if (!cut.test(text)) return
    start = cut.lastIndex
    end = endOfLetters(text, start, length + 1)
    if (end === start || end - start > length) return
    yield { start, end }
  }
}

/** What may stand behind a piece where the text goes on with another one. */
const beforeMore = /^(?:={0,2}|[\s>]{0,8}|["'`][\s+.&,\\]{0,10}["'`]?)$/
const longestCut = 12

/** Whether a row that has come to there may go on where the text does. */
const mayGoOn = (text: string, end: number): boolean =>
  text.length - end <= longestCut && beforeMore.test(text.slice(end))

/** In base64 of a text, unlike in words: to decode each of them would take long. */
const mixed = String.raw`(?:[a-z\d][A-Z]|[A-Z](?:\d|[A-Z][a-z]))`
/** UTF-16 units in which that stands. */
const longestBegin = 128
const isMixed = new RegExp(mixed)
const begin = new RegExp(`(?<!${letter})${letter}{0,${longestBegin - 2}}?${mixed}`, 'g')
const beginAtEnd = new RegExp(`(?<!${letter})${letter}{1,${longestBegin - 2}}$`)

/** Only the beginning of a longer row is read. */
const longestRow = 2176
/** Of pieces that are read together: what is looked for is shorter, and each of them is a beginning. */
const longestJoined = 256

const fewestLetters = 12

/** Base64 that a text may be written in. */
export interface Base64Row extends Span {
  /** Whether it may be more when the text goes on: then there is nothing to read yet. */
  readonly isOpen: boolean
  /** The ways to read it, the likeliest first, each with where it ends. */
  readonly read: readonly { readonly text: string; readonly end: number }[]
}

/** Whether letters of base64 may be that of a text. */
export const mayBeBase64 = (letters: string): boolean => isMixed.test(letters)

/** The text that letters of base64 begin with; fewer say nothing. */
const textOf = (letters: string): string =>
  letters.length < fewestLetters ? '' : (Buffer.from(letters, 'base64').toString().split('\ufffd', 1)[0] ?? '')

/**
 * In the order in which they begin; yields undefined where others may have their turn.
 * @param first where one may begin
 * @param grows whether the text may go on
 */
export function* base64In(
  text: string,
  { first = 0, grows = false }: { readonly first?: number; readonly grows?: boolean } = {},
): Generator<Base64Row | undefined> {
  for (const found of matchesInTurns(text, begin, { from: first, before: 1, longest: longestBegin }))
    yield found && rowFrom(text, found.index, grows)
  const tail = grows && beginAtEnd.exec(text.slice(-longestBegin))
  if (tail) yield { start: text.length - tail[0].length, end: text.length, isOpen: true, read: [] }
}

const rowFrom = (text: string, start: number, grows: boolean): Base64Row => {
  const pieces: Span[] = []
  for (const piece of piecesFrom(text, start)) {
    pieces.push(piece)
    const [first = piece] = pieces
    if ((pieces.length + 1) * lengthOf(first) > longestJoined) break
  }
  const end = Math.min(pieces.at(-1)?.end ?? start, start + longestRow)
  const isOpen = grows && mayGoOn(text, end)
  return { start, end: isOpen ? text.length : end, isOpen, read: isOpen ? [] : readingsOf(text, pieces, end) }
}

const lengthOf = ({ start, end }: Span): number => end - start

/** The last piece may be a word: whole groups of four tell that it is none, and padding. */
const readingsOf = (text: string, pieces: readonly Span[], end: number): Base64Row['read'] => {
  const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0
  const lettersOf = (some: readonly Span[]) => some.map((one) => text.slice(one.start, Math.min(one.end, end))).join('')
  const letters = lettersOf(pieces)
  const whole = { text: textOf(letters), end: end + padding }
  const others = pieces.slice(0, -1)
  const [first, before, last] = [pieces[0], others.at(-1), pieces.at(-1)]
  if (!first || !before || !last || lengthOf(last) === lengthOf(first)) return [whole]
  const without = { text: textOf(lettersOf(others)), end: before.end }
  return padding > 0 || letters.length % 4 === 0 ? [whole, without] : [without, whole]
}
