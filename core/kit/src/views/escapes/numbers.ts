/** Texts that are written as the numbers that they are made of: bytes in hexadecimal, and UTF-7. */

import type { Edit } from '../edited.js'

/** Bytes in a row: alone, or one of many that signs and prefixes part. */
const digits = /(?<![A-Za-z\d])(?:0[xX]|\\[xX])?([\da-fA-F]{2,})(?![A-Za-z\d])/g
/** Between two of them. */
const separator = /^[ ,:;_-]{0,2}$/

/** What most texts do not have is not searched for. */
const mayHold = /(?:[0-7][\da-fA-F][ ,:;_-]{0,2}(?:0[xX]|\\[xX])?){8}/

/** Printable bytes in a row that are text. Of hashes of 32 bytes, one in two hundred has as many. */
const fewestBytes = 8

/** Whether a byte is a printable character of ASCII, or a blank that parts words. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** What is written in hexadecimal: `7a6562`, `7A 65 62`, `0x7a, 0x65, 0x62`. */
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
      if (isPrintable(byte)) row.add({ start: last, end, reads: String.fromCharCode(byte) })
      else {
        const other = { start: last, end, reads: '\n' }
        const isText = row.isText
        yield* row.end(other)
        row = new Row(isText ? undefined : other)
      }
      last = end
    }
  }
  yield* row.end()
}

/** Bytes that are printable, one behind the other. */
class Row {
  private readonly parts: Edit[] = []
  private length = 0

  /** @param before a byte that is not printable, which ends whatever stands before it */
  constructor(private readonly before?: Edit) {}

  get isText(): boolean {
    return this.length >= fewestBytes
  }

  /** Without anything between them, they are one edit: a text of a million digits has few. */
  add(byte: Edit): void {
    this.length += 1
    const part = this.parts.at(-1)
    const isNext = part && byte.end - byte.start === 2 && part.end - part.start === 2 * part.reads.length
    if (isNext) this.parts.splice(-1, 1, { start: part.start, end: byte.end, reads: part.reads + byte.reads })
    else this.parts.push(byte)
  }

  end(behind?: Edit): readonly Edit[] {
    return this.isText ? [this.before, ...this.parts, behind].filter((edit) => edit !== undefined) : []
  }
}

/**
 * RFC 2152: UTF-16 in base64 behind a plus sign; Latin letters begin with `A`, and only `>` and `~` are written with
 * another plus. The bound is what is seen before a segment of a stream.
 */
const shifted = /\+(A[A-Za-z\d/]{2,239})(?:-|(?![A-Za-z\d+/=-]))/g
/** Latin, with all of its letters. */
const beyondLatin = 0x250

/** What is written in UTF-7: `jane+AEA-example.org`. */
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
        reads: String.fromCharCode(unit),
      }
  }
}
