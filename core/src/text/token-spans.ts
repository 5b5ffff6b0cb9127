import type { Token } from '../capabilities/index.js'

/** A token as its vocabulary has it. */
export interface TokenPiece {
  readonly id: number
  readonly bytes: Uint8Array
}

/** Half-open, in Unicode code points. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Code points within which a piece is looked for: one that is missing must not be found at the other end of the text. */
const searchWindow = 64

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Where tokens stand in the text that they were made from, in code points. Tokens that share a character share its
 * span. Some vocabularies put a space before the text, which is no part of it; where they change the text (case,
 * accents), each piece is looked for after the one before without the space around it, and one that is not found
 * spans nothing.
 */
export const tokenSpans = (pieces: readonly TokenPiece[], text: string): Token[] => {
  const bytes = Buffer.from(text)
  const joined = Buffer.concat(pieces.map((piece) => piece.bytes))
  const added = joined.length === bytes.length + 1 && joined[0] === 0x20 ? 1 : 0
  const spanOf = joined.subarray(added).equals(bytes) ? exactSpans(bytes, -added) : searchedSpans(text)
  return pieces.map((piece) => ({ id: piece.id, text: decoder.decode(piece.bytes), ...spanOf(piece) }))
}

/** Takes one piece after the other; `position` is that of the first one's first byte in the text. */
const exactSpans = (text: Buffer, position: number): ((piece: TokenPiece) => Span) => {
  /** Code points that begin before the byte at `position`. */
  let begun = 0
  return ({ bytes: { length } }) => {
    const start = isContinuation(text[position]) ? begun - 1 : begun
    for (const end = position + length; position < end; position += 1) {
      if (position >= 0 && !isContinuation(text[position])) begun += 1
    }
    return { start, end: length === 0 ? start : Math.max(start, begun) }
  }
}

/** Bytes that continue a character look like 10xxxxxx. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Takes one piece after the other. */
const searchedSpans = (text: string): ((piece: TokenPiece) => Span) => {
  const characters = Array.from(text, plain)
  let cursor = 0
  return ({ bytes }) => {
    const span = find(plain(decoder.decode(bytes)).trim(), characters, cursor)
    cursor = span.end
    return span
  }
}

/** Without case and accents; nothing is left of a combining mark. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

const find = (piece: string, characters: readonly string[], from: number): Span => {
  const last = Math.min(characters.length - 1, from + searchWindow)
  for (let start = from; piece !== '' && start <= last; start += 1) {
    const end = characters[start] === '' ? undefined : endOf(piece, characters, start)
    if (end !== undefined) return { start, end }
  }
  return { start: from, end: from }
}

/** Where the piece ends that begins at `start`, combining marks included; undefined where it does not stand there. */
const endOf = (piece: string, characters: readonly string[], start: number): number | undefined => {
  let matched = 0
  let end = start
  for (; end < characters.length; end += 1) {
    const character = characters[end] ?? ''
    if (matched === piece.length && character !== '') break
    if (!piece.startsWith(character, matched)) return undefined
    matched += character.length
  }
  return matched === piece.length ? end : undefined
}
