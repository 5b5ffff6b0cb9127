/** Texts that are written as codes: bytes in hexadecimal, and UTF-7. */

import type { Edit } from '../edited.js'

/** Hexadecimal digits: a row by itself, or one of several with separators and prefixes. */
const digits = /(?<![A-Za-z\d])(?:0[xX]|\\[xX])?([\da-fA-F]{2,})(?![A-Za-z\d])/g
/** What parts two rows of digits. */
const separator = /^[ ,:;_-]{0,2}$/

/** A quick test, which most texts fail. */
const mayHold = /(?:[0-7][\da-fA-F][ ,:;_-]{0,2}(?:0[xX]|\\[xX])?){8}/

/** Printable bytes in a row that count as text. One in 140 hashes of 32 bytes has as many. */
const minTextBytes = 8

/** Whether a byte is a printable character of ASCII, a tab or an end of line. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** Edits for text in hexadecimal: `7a6562`, `7A 65 62`, `0x7a, 0x65, 0x62`. */
export function* hexadecimalIn(text: string): Generator<Edit> {
  if (!mayHold.test(text)) return
  let row = new Row()
  let last = 0
  for (const { 0: written, 1: bytes = '', index } of text.matchAll(digits)) {
    if (index - last > 2 || !separator.test(text.slice(last, index))) {
      yield* row.end()
      row = new Row()
      last = index
    }
    const first = index + written.length - bytes.length
    for (let at = 0; at + 1 < bytes.length; at += 2) {
      const byte = parseInt(bytes.slice(at, at + 2), 16)
      const end = first + at + 2
      if (isPrintable(byte)) row.add({ start: last, end, replacement: String.fromCharCode(byte) })
      else {
        const other = { start: last, end, replacement: '\n' }
        const isText = row.isText
        yield* row.end(other)
        row = new Row(isText ? undefined : other)
      }
      last = end
    }
  }
  yield* row.end()
}

/** A row of printable bytes. */
class Row {
  private readonly parts: Edit[] = []
  private length = 0

  /** @param before an unprintable byte, which ends whatever comes before the row */
  constructor(private readonly before?: Edit) {}

  get isText(): boolean {
    return this.length >= minTextBytes
  }

  /** Adjacent bytes become one edit, so that a text of a million digits has few. */
  add(byte: Edit): void {
    this.length += 1
    const part = this.parts.at(-1)
    const isNext = part && byte.end - byte.start === 2 && part.end - part.start === 2 * part.replacement.length
    if (isNext)
      this.parts.splice(-1, 1, { start: part.start, end: byte.end, replacement: part.replacement + byte.replacement })
    else this.parts.push(byte)
  }

  end(after?: Edit): readonly Edit[] {
    return this.isText ? [this.before, ...this.parts, after].filter((edit) => edit !== undefined) : []
  }
}

/**
 * RFC 2152: UTF-16 in base64 after a plus sign; Latin letters begin with `A`. Runs with a plus sign among their letters,
 * which few characters need, are not read. The length is limited to the context before a segment of a stream.
 */
const shifted = /\+(A[A-Za-z\d/]{2,239})(?:-|(?![A-Za-z\d+/=-]))/g
/** The end of the Latin letters in Unicode. */
const beyondLatin = 0x250

/** Edits for text in UTF-7: `jane+AEA-example.org`. */
export function* utf7In(text: string): Generator<Edit> {
  for (const { 0: written, 1: letters = '', index } of text.matchAll(shifted)) {
    const bytes = Buffer.from(letters, 'base64')
    const units = Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readUInt16BE(2 * at))
    const isWhole = bytes.toString('base64', 0, 2 * units.length).replace(/=+$/, '') === letters
    if (!isWhole || !units.every((unit) => unit >= 0x20 && unit < beyondLatin)) continue
    const begins = (unit: number) => index + (unit === 0 ? 0 : 1 + Math.floor((unit * 8) / 3))
    for (const [at, unit] of units.entries())
      yield {
        start: begins(at),
        end: at === units.length - 1 ? index + written.length : begins(at + 1),
        replacement: String.fromCharCode(unit),
      }
  }
}
