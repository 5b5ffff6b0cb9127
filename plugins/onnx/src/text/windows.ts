import type { TextToken } from './text-reader.js'

/** Tokens from..to of a text, which a model reads at once. */
export interface Window {
  readonly from: number
  readonly to: number
  /** The first token whose result counts in this window; before it the window before knows more. */
  readonly counts: number
}

/**
 * Windows over the tokens of a text, each of `size` tokens at most and with `overlap` tokens in common with the one
 * before. Where two windows overlap, each token counts where it has more of the text around it. A text of one window is
 * read as it is.
 * @param tokens windows begin with a word, unless one is longer than a window
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
  let counts = 0
  for (;;) {
    const to = Math.min(tokens.length, from + size)
    windows.push({ from, to, counts })
    if (to === tokens.length) return windows
    const next = to - Math.min(overlap, Math.floor(size / 2))
    let start = next
    while (start > from && !tokens[start]?.beginsWord) start -= 1
    from = start > from ? start : next
    counts = Math.ceil((from + to) / 2)
  }
}
