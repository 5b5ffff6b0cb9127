/** Rows of letters of base64 and similar encodings, whole or in chunks, also in a text that still grows. */

import { matchesInTurns } from '../matches.js'
import type { Span } from '../view.js'
import { decodedBytes } from './readable.js'

const letter = String.raw`[A-Za-z\d+/_-]`
const isLetter = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(new RegExp(letter).test(String.fromCharCode(code))),
)

/** The end of the letters that begin at a position, at most `max` of them. */
const endOfLetters = (text: string, start: number, max: number): number => {
  const last = Math.min(text.length, start + max)
  let end = start
  while (end < last && isLetter[text.charCodeAt(end)] === 1) end += 1
  return end
}

/** What parts two chunks: blanks, ends of lines, and the quotes of concatenated strings. */
const cut = /(?:[\s>]{1,8}|["'`][\s+.&,\\]{0,10}["'`])/y

/** The chunks of a row that begins at a position. All have one length but the last, which may be shorter, or a word. */
export function* chunksFrom(text: string, from: number): Generator<Span, void> {
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

/** What may come after a chunk where another one follows. */
const beforeMore = /^(?:={0,2}|[\s>]{0,8}|["'`][\s+.&,\\]{0,10}["'`]?)$/
const maxCutLength = 12

/** Whether a row that ends at a position may continue when the text grows. */
const mayGoOn = (text: string, end: number): boolean =>
  text.length - end <= maxCutLength && beforeMore.test(text.slice(end))

/** Letters as in base64 of a text, and not in words: to decode every word would take long. */
const mixed = String.raw`(?:[a-z\d][A-Z]|[A-Z](?:\d|[A-Z][a-z]))`
/** UTF-16 code units within which they must stand. */
const maxBeginLength = 128
const isMixed = new RegExp(mixed)
const begin = new RegExp(`(?<!${letter})${letter}{0,${maxBeginLength - 2}}?${mixed}`, 'g')
const beginAtEnd = new RegExp(`(?<!${letter})${letter}{1,${maxBeginLength - 2}}$`)

/** Only the beginning of a longer row is read. */
const maxRowLength = 2176
/** Letters of chunks that are decoded together: what is searched for is shorter, and each chunk begins a row, too. */
const maxJoinedLength = 256

const minLetters = 12

/** A row of letters that may be base64 of a text. */
export interface Base64Row extends Span {
  /** Whether the row may continue when the text grows; then it is not read yet. */
  readonly isOpen: boolean
  /** The ways to read it, the likeliest first, each with where it ends. */
  readonly read: readonly { readonly text: string; readonly end: number }[]
}

/** Whether letters look like base64 of a text. */
export const mayBeBase64 = (letters: string): boolean => isMixed.test(letters)

/** The text that base64 begins with; empty for too few letters. */
const textOf = (letters: string): string =>
  letters.length < minLetters ? '' : (decodedBytes(Buffer.from(letters, 'base64')).split('\ufffd', 1)[0] ?? '')

/**
 * The rows of a text in the order in which they begin; yields undefined where others may have their turn.
 * @param first where one may begin
 * @param grows whether the text may go on
 */
export function* base64In(
  text: string,
  { first = 0, grows = false }: { readonly first?: number; readonly grows?: boolean } = {},
): Generator<Base64Row | undefined> {
  for (const found of matchesInTurns(text, begin, { from: first, before: 1, maxLength: maxBeginLength }))
    yield found && rowFrom(text, found.index, grows)
  const tail = grows && beginAtEnd.exec(text.slice(-maxBeginLength))
  if (tail) yield { start: text.length - tail[0].length, end: text.length, isOpen: true, read: [] }
}

const rowFrom = (text: string, start: number, grows: boolean): Base64Row => {
  const chunks: Span[] = []
  for (const chunk of chunksFrom(text, start)) {
    chunks.push(chunk)
    const [first = chunk] = chunks
    if ((chunks.length + 1) * lengthOf(first) > maxJoinedLength) break
  }
  const end = Math.min(chunks.at(-1)?.end ?? start, start + maxRowLength)
  const isOpen = grows && mayGoOn(text, end)
  return { start, end: isOpen ? text.length : end, isOpen, read: isOpen ? [] : readingsOf(text, chunks, end) }
}

const lengthOf = ({ start, end }: Span): number => end - start

/** The last chunk may be a word. It is none where padding follows or the letters make whole groups of four. */
const readingsOf = (text: string, chunks: readonly Span[], end: number): Base64Row['read'] => {
  const padding = /^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0
  const lettersOf = (some: readonly Span[]) => some.map((one) => text.slice(one.start, Math.min(one.end, end))).join('')
  const letters = lettersOf(chunks)
  const whole = { text: textOf(letters), end: end + padding }
  const others = chunks.slice(0, -1)
  const [first, before, last] = [chunks[0], others.at(-1), chunks.at(-1)]
  if (!first || !before || !last || lengthOf(last) === lengthOf(first)) return [whole]
  const without = { text: textOf(lettersOf(others)), end: before.end }
  return padding > 0 || letters.length % 4 === 0 ? [whole, without] : [without, whole]
}
