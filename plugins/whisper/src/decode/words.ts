/** Seconds in a window. */
interface Times {
  readonly start: number
  readonly end: number
}

export interface Word extends Times {
  /** The word with the white space before it. */
  readonly text: string
}

interface SpokenToken extends Times {
  readonly bytes: Buffer
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

/** The text of each token; a character of several tokens belongs to the last. Bytes that are not UTF-8 are left out. */
const unitsOf = (tokens: readonly SpokenToken[]): Word[] => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const units: Word[] = []
  let start: number | undefined
  for (const token of tokens) {
    const text = decoder.decode(token.bytes, { stream: true }).replaceAll('\ufffd', '')
    start ??= token.start
    if (!text) continue
    units.push({ text, start, end: token.end })
    start = undefined
  }
  return units
}
