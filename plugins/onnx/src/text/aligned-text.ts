/** A stretch of a derived text, and the stretch that it was made from, in UTF-16 units. */
export interface Part {
  readonly length: number
  readonly from: number
  readonly to: number
}

/**
 * A text that was derived from another one, step by step, and the place in the original that each of its UTF-16 units
 * stands for.
 */
export class AlignedText {
  private constructor(
    readonly text: string,
    /** Where the text begins in the original; its units follow one by one where there are no `spans`. */
    private readonly offset: number,
    private readonly spans?: { readonly starts: Int32Array; readonly ends: Int32Array },
  ) {}

  /** @param offset where the text stands in the original */
  static original(text: string, offset = 0): AlignedText {
    return new AlignedText(text, offset)
  }

  slice(from: number, to: number): AlignedText {
    const text = this.text.slice(from, to)
    const [offset] = this.span(from, from)
    if (!this.spans) return new AlignedText(text, offset)
    return new AlignedText(text, offset, {
      starts: this.spans.starts.subarray(from, to),
      ends: this.spans.ends.subarray(from, to),
    })
  }

  /** The half-open place in the original of the units from..to of this text. */
  span(from: number, to: number): readonly [start: number, end: number] {
    if (!this.spans) return [this.offset + from, this.offset + to]
    const { starts, ends } = this.spans
    const start = starts[from] ?? ends[from - 1] ?? this.offset
    return [start, from < to ? (ends[to - 1] ?? start) : start]
  }

  /**
   * A text that was made from this one. Where a part has the length of what it was made from, its units stand for the
   * units of the other; elsewhere each stands for the whole stretch.
   */
  derive(text: string, parts: readonly Part[]): AlignedText {
    const starts = new Int32Array(text.length)
    const ends = new Int32Array(text.length)
    let at = 0
    for (const { length, from, to } of parts) {
      const unitwise = length === to - from
      for (let unit = 0; unit < length; unit += 1, at += 1) {
        const [start, end] = unitwise ? this.span(from + unit, from + unit + 1) : this.span(from, to)
        starts[at] = start
        ends[at] = end
      }
    }
    return new AlignedText(text, this.offset, { starts, ends })
  }
}

/** What two texts have in common at both ends is aligned, what is left between is one part: for unknown changes. */
export const commonEnds = (before: string, after: string): Part[] => {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [
    { length: start, from: 0, to: start },
    { length: after.length - start - end, from: start, to: before.length - end },
    { length: end, from: before.length - end, to: before.length },
  ]
}
