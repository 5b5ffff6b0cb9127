/** Half-open, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One way to read a text. */
export interface View {
  readonly text: string
  /** The span of the original text that a span of this view stands for. */
  readonly sourceOf: (span: Span) => Span
}

/** A text with the escapes of some depth undone. */
export interface Reading extends View {
  /** How many layers of JSON escapes were undone: JSON inside a string of JSON has two. */
  readonly depth: number
  /** Whether no escape was undone; one of another format than JSON leaves the depth as it is. */
  readonly isOriginal: boolean
}

/** The text itself. */
export const originalReading = (text: string): Reading => ({
  depth: 0,
  isOriginal: true,
  text,
  sourceOf: (span) => span,
})

/**
 * The position in a view for one of its source; where the latter lies inside an edit, the position is after the edit.
 */
export const positionOf = ({ text, sourceOf }: View, position: number): number => {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sourceOf({ start: middle, end: middle }).start < position) low = middle + 1
    else high = middle
  }
  return low
}
