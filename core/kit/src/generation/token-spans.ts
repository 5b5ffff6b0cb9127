import type { Token } from '@sallyport/core'

/** A token as its vocabulary spells it. */
export interface VocabularyToken {
  readonly id: number
  readonly bytes: Uint8Array
}

/** Half-open, in Unicode code points. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * UTF-16 code units in which a token is searched for: one that is missing must not be found at the other end of the
 * text.
 */
const searchWindow = 64

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Where tokens are in the text that they were made from, in code points. Tokens that share a character share its
 * span. Some vocabularies put a space before the text, which is not part of it; where they change the text (case,
 * accents), each token is searched for after the one before, without the space around it, and one that is not found
 * has an empty span.
 */
export const tokenSpans = (tokens: readonly VocabularyToken[], text: string): Token[] => {
  const bytes = Buffer.from(text)
  const joined = Buffer.concat(tokens.map((token) => token.bytes))
  const added = joined.length === bytes.length + 1 && joined[0] === 0x20 ? 1 : 0
  const spanOf = joined.subarray(added).equals(bytes) ? exactSpans(bytes, -added) : searchedSpans(text)
  return tokens.map((token) => ({ id: token.id, text: decoder.decode(token.bytes), ...spanOf(token) }))
}

/**
 * @param position of the first token's first byte in the text
 * @returns a function to be called for each token in order
 */
const exactSpans = (text: Buffer, position: number): ((token: VocabularyToken) => Span) => {
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

/** @returns a function to be called for each token in order */
const searchedSpans = (text: string): ((token: VocabularyToken) => Span) => {
  const foldedText = new FoldedText(text)
  let cursor = 0
  return ({ bytes }) => {
    const token = folded(decoder.decode(bytes)).trim()
    const at = token === '' ? -1 : foldedText.find(token, cursor)
    if (at < 0) return foldedText.span(cursor, cursor)
    cursor = at + token.length
    return foldedText.span(at, cursor)
  }
}

/** Without case, accents and other forms of the same characters (ﬁ, Ａ); nothing is left of a combining mark. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    // `toLowerCase` makes a Σ at the end of a word a ς, and a Σ by itself a σ.
    .replaceAll('ς', 'σ')

/** A text without what vocabularies change. */
class FoldedText {
  private readonly text: string
  /** For each UTF-16 code unit of the folded text, the code point that it comes from. */
  private readonly codePoints: number[] = []
  private readonly length: number

  constructor(text: string) {
    const characters = Array.from(text, folded)
    for (const [point, { length }] of characters.entries())
      for (let unit = 0; unit < length; unit += 1) this.codePoints.push(point)
    this.text = characters.join('')
    this.length = characters.length
  }

  /** Searches from a unit on; -1 where it finds nothing. */
  find(token: string, from: number): number {
    const at = this.text.slice(from, from + searchWindow + token.length).indexOf(token)
    return at < 0 ? -1 : from + at
  }

  /** The code points of units of the folded text, with the marks after them. */
  span(from: number, to: number): Span {
    const start = this.codePoints[from] ?? this.length
    if (from === to) return { start, end: start }
    const last = this.codePoints[to - 1] ?? start
    const next = this.codePoints[to] ?? this.length
    return { start, end: Math.max(last + 1, next) }
  }
}
