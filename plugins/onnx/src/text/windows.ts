import type { TextToken } from './windowed-tokenizer.js'

/** The tokens from..to of a text, which a model reads at once. */
export interface Window {
  readonly from: number
  readonly to: number
  /** The first token whose result is taken from this window; the window before has more context for earlier ones. */
  readonly firstCounted: number
}

/**
 * Windows over the tokens of a text. Each has at most `size` tokens and shares about `overlap` tokens with the one
 * before: more where it begins with a word, fewer where windows are short. In an overlap, the result of a token is
 * taken from the window in which it has more context. Windows begin with a word, unless a word is longer than a window.
 * @param tokens the tokens of the text
 * @param size at least 1
 */
export const windowsOf = (
  tokens: readonly Pick<TextToken, 'beginsWord'>[],
  size: number,
  overlap: number,
): Window[] => {
  if (size < 1) throw new RangeError('a window has no room for a token')
  const windows: Window[] = []
  let from = 0
  let firstCounted = 0
  for (;;) {
    const to = Math.min(tokens.length, from + size)
    windows.push({ from, to, firstCounted })
    if (to === tokens.length) return windows
    const next = to - Math.min(overlap, Math.floor(size / 2))
    let start = next
    while (start > from && !tokens[start]?.beginsWord) start -= 1
    from = start > from ? start : next
    firstCounted = Math.ceil((from + to) / 2)
  }
}
