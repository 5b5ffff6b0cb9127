/** Half-open, in Unicode code points. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Code points within which a token's text is looked for where the vocabulary changes texts (case, accents). */
const searchWindow = 64

/**
 * Where the tokens of a text lie in it.
 * @param pieces the bytes of each token; together those of the text, unless the vocabulary normalises texts
 */
export const spansOf = (text: string, pieces: readonly Uint8Array[]): Span[] => {
  const bytes = Buffer.from(text)
  return bytes.equals(Buffer.concat(pieces)) ? exactSpans(bytes, pieces) : searchedSpans(text, pieces)
}

/** Tokens that share a character share its span. */
const exactSpans = (text: Buffer, pieces: readonly Uint8Array[]): Span[] => {
  let position = 0
  /** Code points that begin before the byte at `position`. */
  let begun = 0
  return pieces.map(({ length }) => {
    const startsInside = isContinuation(text[position])
    const start = startsInside ? begun - 1 : begun
    for (const end = position + length; position < end; position += 1) if (!isContinuation(text[position])) begun += 1
    return { start, end: length === 0 ? start : begun }
  })
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** A token covers what lies between its predecessor and its own end; the last one the rest. */
const searchedSpans = (text: string, pieces: readonly Uint8Array[]): Span[] => {
  const characters = Array.from(text)
  const plain = characters.map((character) => withoutAccents(character))
  let position = 0
  const spans = pieces.map((piece) => {
    const start = position
    position = endOf(withoutAccents(Buffer.from(piece).toString()).trim(), plain, position)
    return { start, end: position }
  })
  const last = spans.at(-1)
  if (last) spans[spans.length - 1] = { start: last.start, end: characters.length }
  return spans
}

const withoutAccents = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()

const endOf = (piece: string, plain: readonly string[], from: number): number => {
  if (piece === '') return from
  for (let at = from; at < Math.min(from + searchWindow, plain.length); at += 1) {
    let matched = ''
    let end = at
    while (matched.length < piece.length && end < plain.length) matched += plain[end++] ?? ''
    if (matched === piece) return end
  }
  return from
}
