/** Text before a mark; what stands behind it where it is there, or else may be its beginning. */
export type Split =
  { readonly before: string; readonly behind: string } | { readonly before: string; readonly held: string }

/** Splits a text that is not over at a mark. */
export const splitAtMark = (text: string, mark: string): Split => {
  const at = text.indexOf(mark)
  if (at >= 0) return { before: text.slice(0, at), behind: text.slice(at + mark.length) }
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    const held = text.slice(-length)
    if (mark.startsWith(held)) return { before: text.slice(0, -length), held }
  }
  return { before: text, held: '' }
}
