/** A word as it is said in a window. */
export interface Word {
  /** With the white space before it. */
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

interface Token {
  readonly text: string
  /** Milliseconds. */
  readonly t0: number
  readonly t1: number
}

/** Written without spaces between words: there each token is one. */
const unspaced = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue', 'km', 'bo'])

/** What the model says of what is no speech. */
const nothing = /\[BLANK_AUDIO\]/g

/**
 * Words from a window's text and its tokens. A token may end within a character and is not readable then: what stands
 * between two readable ones is read from the text.
 */
export const wordsOf = (text: string, tokens: readonly Token[], language: string): Word[] => {
  const units = unitsOf(text, tokens)
  const words: { text: string; start: number; end: number }[] = []
  for (const unit of units) {
    const last = words.at(-1)
    if (last && !startsWord(unit.text, language)) {
      last.text += unit.text
      last.end = Math.max(last.end, unit.end)
    } else words.push({ ...unit })
  }
  const [first] = words
  if (first && !unspaced.has(language) && !/^\s/.test(first.text)) first.text = ` ${first.text}`
  return words.map((word) => ({ ...word, text: word.text.replace(nothing, '') })).filter(({ text: own }) => own.trim())
}

const startsWord = (text: string, language: string): boolean =>
  /^\s/.test(text) || (unspaced.has(language) && /^[\p{L}\p{N}]/u.test(text))

const unreadable = '\ufffd'

/** Stretches of the text that one token, or several of which none is readable, stand for. */
const unitsOf = (text: string, tokens: readonly Token[]): Word[] => {
  const units: Word[] = []
  let position = 0
  let open: Token[] = []
  const close = (end: number) => {
    const own = text.slice(position, end)
    if (open.length && own) units.push({ text: own, ...spanOf(open) })
    position = end
    open = []
  }
  for (const token of tokens) {
    const at = token.text.includes(unreadable) || !token.text ? -1 : text.indexOf(token.text, position)
    if (at < 0) {
      open.push(token)
      continue
    }
    close(at)
    open.push(token)
    close(at + token.text.length)
  }
  close(text.length)
  return units
}

const spanOf = (tokens: readonly Token[]) => {
  const start = (tokens[0]?.t0 ?? 0) / 1000
  return { start, end: Math.max(start, (tokens.at(-1)?.t1 ?? 0) / 1000) }
}
