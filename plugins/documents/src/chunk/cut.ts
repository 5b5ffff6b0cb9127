interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Splits a range of code points into chunks at the ends of lines and sentences; longer sentences between words, and
 * longer words between grapheme clusters. White space at the cuts is left out.
 * @param first max size of the first chunk, where it is smaller
 */
export const cut = (characters: readonly string[], start: number, end: number, size: number, first = size): Span[] => {
  const spans: Span[] = []
  let room = first
  let from = skipSpace(characters, start, end)
  while (from < end) {
    const to = end - from <= room ? end : bestEnd(characters, from, room)
    room = size
    const last = trimmedEnd(characters, from, to)
    if (last > from) spans.push({ start: from, end: last })
    from = skipSpace(characters, to, end)
  }
  return spans
}

/** The best place to cut: the last end of a sentence in the second half, else of a word, else of a grapheme cluster. */
const bestEnd = (characters: readonly string[], from: number, size: number): number => {
  const limit = from + size
  const half = from + Math.floor(size / 2)
  for (const isEnd of [endsSentence, endsWord])
    for (let at = limit; at > (isEnd === endsSentence ? half : from); at--) if (isEnd(characters, at)) return at
  for (let at = limit; at > half; at--) if (!joins(characters, at)) return at
  return limit
}

const isSpace = (character: string | undefined) => character !== undefined && /\s/.test(character)

const endsWord = (characters: readonly string[], at: number): boolean =>
  isSpace(characters[at]) || isSpace(characters[at - 1])

const endsSentence = (characters: readonly string[], at: number): boolean => {
  const before = characters[at - 1] ?? ''
  if (before === '\n' || characters[at] === '\n' || /[。！？]/.test(before)) return true
  if (!isSpace(characters[at])) return false
  let last = at - 1
  while (/["'”’)\]]/.test(characters[last] ?? '')) last -= 1
  return /[.!?…:;]/.test(characters[last] ?? '')
}

/** Whether the character belongs to the one before, as accents and parts of emoji do. */
const joins = (characters: readonly string[], at: number): boolean =>
  /^[\p{M}\p{Emoji_Modifier}\u200d\ufe0f]/u.test(characters[at] ?? '') || characters[at - 1] === '\u200d'

const skipSpace = (characters: readonly string[], from: number, end: number): number => {
  while (from < end && isSpace(characters[from])) from += 1
  return from
}

const trimmedEnd = (characters: readonly string[], from: number, to: number): number => {
  while (to > from && isSpace(characters[to - 1])) to -= 1
  return to
}
