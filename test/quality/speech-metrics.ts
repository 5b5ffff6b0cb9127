/** Figures of transcription. */

/** In lower case and without punctuation. */
export const spokenWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'\s]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word)

/** The least number of words that are put in, left out or replaced. */
export const editDistance = (expected: readonly string[], heard: readonly string[]): number => {
  let row = heard.map((_, index) => index + 1)
  expected.forEach((word, index) => {
    let diagonal = index
    let left = index + 1
    row = heard.map((other, at) => {
      const above = row[at] ?? 0
      left = Math.min(left + 1, above + 1, diagonal + (word === other ? 0 : 1))
      diagonal = above
      return left
    })
  })
  return row.at(-1) ?? expected.length
}
