import type { Located, LocatedFinding } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { countUpTo } from '@sallyport/kit/lists'
import { countCodePoints } from '@sallyport/kit/text'
import { locatedInField, safeTypeName } from '../detect/findings.js'
import type { FoundSpan } from '../detect/findings.js'
import type { Path } from '../fields/walk.js'
import type { Segment } from './segmenter.js'

/** Says where findings in a segment are. */
export type LocateIn = (segment: Segment, found: readonly FoundSpan[]) => readonly LocatedFinding[]

interface Part {
  readonly text: string
  readonly page?: number
  readonly headings?: readonly number[]
}

/** Finds the page and the heading of what is found in a document, whose text comes in parts. */
export class DocumentPlaces {
  private readonly parts: Part[] = []
  /** The position of each part in the joined text, in UTF-16 code units and in code points. */
  private readonly starts: number[] = []
  private readonly codePoints: number[] = []
  private length = 0
  private codePointLength = 0

  constructor(private readonly located: Located) {}

  add(chunk: unknown): void {
    for (const part of ((chunk as Record<string, unknown>)[this.located.list] ?? []) as readonly Part[]) {
      this.parts.push(part)
      this.starts.push(this.length)
      this.codePoints.push(this.codePointLength)
      this.length += part.text.length
      this.codePointLength += countCodePoints(part.text)
    }
  }

  /** For a text of the result. */
  locateIn(path: Path): LocateIn {
    const { list } = this.located
    return ({ text, start }, found) =>
      path[0] === list
        ? found.map((one) => this.locate(list, { ...one, start: start + one.start, end: start + one.end }))
        : locatedInField(showPath(path), text, found)
  }

  private locate(field: string, { type, start, end, score }: FoundSpan): LocatedFinding {
    const { page, headings = [] } = this.parts[this.partAt(start)] ?? {}
    const heading = headings.at(-1)
    return {
      ...{ field, type: safeTypeName(type), start: this.codePointOffset(start), end: this.codePointOffset(end), score },
      ...(page === undefined ? {} : { page }),
      ...(heading === undefined ? {} : { heading: heading + 1 }),
    }
  }

  private partAt(position: number): number {
    return Math.max(0, countUpTo(this.starts, position) - 1)
  }

  private codePointOffset(position: number): number {
    const at = this.partAt(position)
    const before = this.parts[at]?.text.slice(0, position - (this.starts[at] ?? 0)) ?? ''
    return (this.codePoints[at] ?? 0) + countCodePoints(before)
  }
}
