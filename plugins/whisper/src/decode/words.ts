/** A word with its times in a window. */
export interface Word {
  /** The word with the white space before it. */
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

interface SpokenToken {
  readonly bytes: Buffer
  /** Seconds. */
  readonly start: number
  readonly end: number
}

/** In these languages, which put no spaces between words, each token counts as a word. */
const languagesWithoutSpaces = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue', 'km', 'bo'])

/** Joins the tokens of a window into words. */
export const wordsOf = (tokens: readonly SpokenToken[], language: string): Word[] => {
  const words: { text: string; start: number; end: number }[] = []
  for (const unit of unitsOf(tokens)) {
    const last = words.at(-1)
    if (last && !startsWord(unit.text, language)) {
      last.text += unit.text
      last.end = Math.max(last.end, unit.end)
    } else words.push({ ...unit })
  }
  const [first] = words
  if (first && !languagesWithoutSpaces.has(language) && !/^\s/.test(first.text)) first.text = ` ${first.text}`
  return words.filter(({ text }) => text.trim())
}

const startsWord = (text: string, language: string): boolean =>
  /^\s/.test(text) || (languagesWithoutSpaces.has(language) && /^[\p{L}\p{N}]/u.test(text))

/**
 * Joins tokens that end within a UTF-8 character with the ones that complete it. Bytes that are not UTF-8 are left out.
 */
const unitsOf = (tokens: readonly SpokenToken[]): Word[] => {
  const units: Word[] = []
  let open: SpokenToken[] = []
  for (const token of tokens) {
    open.push(token)
    const text = decodedText(Buffer.concat(open.map(({ bytes }) => bytes)))
    if (text === undefined) continue
    units.push({ text, start: open[0]?.start ?? 0, end: token.end })
    open = []
  }
  return units
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodedText = (bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
