/** Half-open, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One way to read a text. */
export interface View {
  readonly text: string
  /** The span of the text as it was written that a span of this one stands for. */
  readonly sourceOf: (span: Span) => Span
}

/** A text with the escapes of some depth undone. */
export interface Reading extends View {
  /** How often escapes were undone: JSON inside a string of JSON has two layers of them. */
  readonly depth: number
}

export const asItStands = (text: string): Reading => ({ depth: 0, text, sourceOf: (span) => span })

/** Where a view has come to a position of its source: behind what the position lies in the middle of. */
export const positionOf = ({ text, sourceOf }: View, position: number): number => {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sourceOf({ start: middle, end: middle }).start < position) low = middle + 1
    else high = middle
  }
  return low
}
