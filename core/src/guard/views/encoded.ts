/** Texts that are written as the numbers that they are made of: bytes in hexadecimal, and UTF-7. */

import type { Edit } from './edited.js'

/** Bytes in a row: alone, or one of many that signs and prefixes part. */
const digits = /(?<![\p{L}\d])(?:0[xX]|\\[xX])?([\da-fA-F]{2,})(?![\p{L}\d])/gu
/** Between two of them. */
const separator = /^[ ,:;_-]{0,2}$/

/** Printable bytes in a row that are text. Of hashes of 32 bytes, one in two hundred has as many. */
const fewestBytes = 8

/** Of ASCII, with the blanks that part words. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** What is written in hexadecimal: `7a6562`, `7A 65 62`, `0x7a, 0x65, 0x62`. */
export function* hexadecimalIn(text: string): Generator<Edit> {
  let row = new Row()
  let last = 0
  for (const { 0: written, 1: bytes = '', index } of text.matchAll(digits)) {
    if (index - last > 2 || !separator.test(text.slice(last, index))) {
      yield* row.edits()
      row = new Row()
      last = index
    }
    const first = index + written.length - bytes.length
    for (let at = 0; at + 1 < bytes.length; at += 2) {
      const byte = parseInt(bytes.slice(at, at + 2), 16)
      const end = first + at + 2
      if (isPrintable(byte)) row.add({ start: last, end, reads: String.fromCharCode(byte) })
      else {
        yield* row.edits()
        row = new Row()
      }
      last = end
    }
  }
  yield* row.edits()
}

/** Bytes that are printable, one behind the other. */
class Row {
  private readonly parts: Edit[] = []
  private length = 0

  /** Without anything between them, they are one edit: a text of a million digits has few. */
  add(byte: Edit): void {
    this.length += 1
    const part = this.parts.at(-1)
    const isNext = part && byte.end - byte.start === 2 && part.end - part.start === 2 * part.reads.length
    if (isNext) this.parts.splice(-1, 1, { start: part.start, end: byte.end, reads: part.reads + byte.reads })
    else this.parts.push(byte)
  }

  edits(): readonly Edit[] {
    return this.length < fewestBytes ? [] : this.parts
  }
}

/**
 * RFC 2152: UTF-16 in base64 behind a plus sign. The bound is what stands before a segment of a stream; letters of
 * Latin and other signs of little number begin with `A`.
 */
const shifted = /\+(A[A-Za-z\d+/]{2,239})(?:-|(?![A-Za-z\d+/=-]))/g
/** Latin, with all of its letters. */
const beyondLatin = 0x250

/** What is written in UTF-7: `jane+AEA-example.org`. */
export function* utf7In(text: string): Generator<Edit> {
  for (const { 0: written, 1: letters = '', index } of text.matchAll(shifted)) {
    const bytes = Buffer.from(letters, 'base64')
    const units = Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readUInt16BE(2 * at))
    const isWhole = Math.ceil((units.length * 8) / 3) === letters.length
    if (!isWhole || !units.every((unit) => unit >= 0x20 && unit < beyondLatin)) continue
    const begins = (unit: number) => index + (unit === 0 ? 0 : 1 + Math.floor((unit * 8) / 3))
    for (const [at, unit] of units.entries())
      yield {
        start: begins(at),
        end: at === units.length - 1 ? index + written.length : begins(at + 1),
        reads: String.fromCharCode(unit),
      }
  }
}
