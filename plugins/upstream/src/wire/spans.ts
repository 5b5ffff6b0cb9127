import type { Token } from '@sallyport/core'

export interface Piece {
  readonly id: number
  readonly bytes: Uint8Array
}

/**
 * Where pieces stand in a text, in code points. A token that is a part of a character spans that character. Some
 * vocabularies put a space before the text, which is no part of it; where pieces are otherwise than the text (lower
 * case, say), each is looked for after the one before, and one that is not found spans nothing.
 */
export const placed = (pieces: readonly Piece[], text: string): Token[] => {
  const joined = Buffer.concat(pieces.map(({ bytes }) => bytes))
  const whole = Buffer.from(text)
  const added = joined.length - whole.length
  const isText = joined.subarray(Math.max(0, added)).equals(whole)
  return isText && added <= 1 ? byBytes(pieces, whole, added) : bySearch(pieces, text)
}

const textOf = ({ bytes }: Piece) => Buffer.from(bytes).toString()

/** Bytes that continue a character look like 10xxxxxx. */
const begins = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) !== 0x80

const byBytes = (pieces: readonly Piece[], whole: Buffer, added: number): Token[] => {
  const characterAt = charactersBefore(whole)
  let position = -added
  return pieces.map((piece) => {
    const from = Math.max(0, position)
    position += piece.bytes.length
    const inside = from < whole.length && !begins(whole[from])
    const start = characterAt(from) - (inside ? 1 : 0)
    return { id: piece.id, text: textOf(piece), start, end: Math.max(start, characterAt(Math.max(0, position))) }
  })
}

/** How many characters begin before a byte. */
const charactersBefore = (whole: Buffer): ((byte: number) => number) => {
  const counts = new Uint32Array(whole.length + 1)
  let count = 0
  whole.forEach((byte, index) => {
    if (begins(byte)) count += 1
    counts[index + 1] = count
  })
  return (byte) => counts[byte] ?? count
}

const bySearch = (pieces: readonly Piece[], text: string): Token[] => {
  const characters = Array.from(text, (character) => character.toLowerCase())
  let cursor = 0
  return pieces.map((piece) => {
    const token = { id: piece.id, text: textOf(piece) }
    const wanted = Array.from(token.text.trim(), (character) => character.toLowerCase())
    const start = wanted.length ? find(characters, wanted, cursor) : -1
    if (start < 0) return { ...token, start: cursor, end: cursor }
    cursor = start + wanted.length
    return { ...token, start, end: cursor }
  })
}

/** Only so far ahead: a piece that is missing must not be found at the other end of the text. */
const reach = 64

const find = (characters: readonly string[], wanted: readonly string[], from: number): number => {
  const last = Math.min(characters.length - wanted.length, from + reach)
  for (let start = from; start <= last; start += 1)
    if (wanted.every((character, offset) => characters[start + offset] === character)) return start
  return -1
}
