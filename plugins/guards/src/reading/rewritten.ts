import type { Span, View } from './view.js'

/** A part of a text that is made of parts of another one. */
interface Part {
  /** Where it begins here. */
  readonly at: number
  /** What it stands for there. */
  readonly start: number
  readonly end: number
  readonly copy: boolean
}

const none: Part = { at: 0, start: 0, end: 0, copy: true }

/** A text made of parts of another one. */
export class Rewritten {
  private readonly texts: string[] = []
  private readonly parts: Part[] = []
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
    const copies = this.parts.filter(({ copy }) => copy)
    return {
      text: this.texts.join(''),
      place: (start, end) => {
        const span = this.place(start, end)
        return original.place(span.start, span.end)
      },
      hidden: true,
      copied: {
        from: original,
        holds: (start, end) => this.partAt(start).copy && this.partAt(start) === this.partAt(end - 1),
        has: (start, end) => {
          const part = lastWhere(copies, (one) => one.start <= start)
          return part !== undefined && start >= part.start && end <= part.end
        },
      },
    }
  }

  private add(text: string, start: number, end: number, copy: boolean): void {
    this.parts.push({ at: this.length, start, end, copy })
    this.texts.push(text)
    this.length += text.length
  }

  private partAt(position: number): Part {
    return lastWhere(this.parts, ({ at }) => at <= position) ?? none
  }
}

/** Of parts in order, the last for which something holds that holds for all before it; the first where there is none. */
const lastWhere = (parts: readonly Part[], holds: (part: Part) => boolean): Part | undefined => {
  let [low, high] = [0, parts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const part = parts[middle]
    if (part && holds(part)) low = middle
    else high = middle - 1
  }
  return parts[low]
}
