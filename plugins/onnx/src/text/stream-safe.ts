/** As many marks in a row as Unicode's Stream-Safe Text Format allows (UAX #15); no language needs as many. */
const mostMarks = /\p{Mark}{30}/gu

/**
 * What a function makes of a text, which it is given in pieces without long runs of marks: `String.normalize` takes
 * quadratic time in these. Other texts are given whole.
 */
export const inStreamSafePieces = (text: string, normalise: (piece: string) => string): string => {
  let normalised = ''
  let from = 0
  for (const { 0: marks, index } of text.matchAll(mostMarks)) {
    const to = index + marks.length
    normalised += normalise(text.slice(from, to))
    from = to
  }
  return from === 0 ? normalise(text) : normalised + (from < text.length ? normalise(text.slice(from)) : '')
}
