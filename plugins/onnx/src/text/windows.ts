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
 * @param wordStarts where words begin, in ascending order: windows begin with a word
 * @param size at least 1
 */
export const windowsOf = (tokens: number, wordStarts: readonly number[], size: number, overlap: number): Window[] => {
  if (size < 1) throw new RangeError('a window has no room for a token')
  const windows: Window[] = []
  let from = 0
  let counts = 0
  for (;;) {
    const to = Math.min(tokens, from + size)
    windows.push({ from, to, counts })
    if (to === tokens) return windows
    const next = to - Math.min(overlap, Math.floor(size / 2))
    // a word that is longer than a window is parted
    const start = lastAtMost(wordStarts, next)
    from = start > from ? start : next
    counts = Math.ceil((from + to) / 2)
  }
}

const lastAtMost = (ascending: readonly number[], most: number): number => {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return ascending[low - 1] ?? 0
}
