import type { Span, View } from './view.js'

/** A text made of parts of another one. */
export class Rewritten {
  private readonly parts: string[] = []
  /** Where parts begin here, and what they stand for there. */
  private readonly begins: {
    readonly at: number
    readonly start: number
    readonly end: number
    readonly copy: boolean
  }[] = []
  private length = 0

  copy(text: string, start: number, end: number): void {
    if (end > start) this.add(text.slice(start, end), start, end, true)
  }

  replace(text: string, start: number, end: number): void {
    this.add(text, start, end, false)
  }

  private place(start: number, end: number): Span {
    const [first, last] = [this.partAt(start), this.partAt(end - 1)]
    return {
      start: first.copy ? first.start + start - first.at : first.start,
      end: last.copy ? last.start + end - last.at : last.end,
    }
  }

  /** @param original how the text that the parts are of was read */
  view(original: View): View {
    return {
      text: this.parts.join(''),
      place: (start, end) => {
        const span = this.place(start, end)
        return original.place(span.start, span.end)
      },
      hidden: true,
    }
  }

  private add(text: string, start: number, end: number, copy: boolean): void {
    this.begins.push({ at: this.length, start, end, copy })
    this.parts.push(text)
    this.length += text.length
  }

  private partAt(position: number) {
    let [low, high] = [0, this.begins.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.begins[middle]?.at ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return this.begins[low] ?? { at: 0, start: 0, end: 0, copy: true }
  }
}
