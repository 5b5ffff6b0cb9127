import type { LocatedFinding } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { countUpTo } from '@sallyport/kit/lists'
import { countCodePoints } from '@sallyport/kit/text'
import type { Span } from '@sallyport/kit/views'
import { locatedInField, safeTypeName } from '../detect/findings.js'
import type { FoundSpan } from '../detect/findings.js'
import type { Path, TextField } from '../fields/walk.js'
import { partsIn } from '../values/texts-with-spans.js'
import type { Segment } from './segmenter.js'

/** Says where findings in a segment are. */
export type LocateIn = (segment: Segment, found: readonly FoundSpan[]) => readonly LocatedFinding[]

interface Part {
  readonly text: string
  readonly continues?: boolean
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
  /** The page of each heading: that of the first part below it. */
  private readonly pages = new Map<number, number | undefined>()
  /** The title and the headings, with their spans in the text that they make up. */
  private readonly lines = { fields: [] as TextField[], spans: [] as Span[], ends: [] as number[] }

  /** @param list the name of the list of the parts */
  constructor(private readonly list: string) {}

  add(chunk: unknown): void {
    for (const written of ((chunk as Record<string, unknown>)[this.list] ?? []) as readonly Part[]) {
      const part = written.continues ? { ...this.parts.at(-1), text: written.text } : written
      this.parts.push(part)
      this.starts.push(this.length)
      this.codePoints.push(this.codePointLength)
      this.length += part.text.length
      this.codePointLength += countCodePoints(part.text)
      for (const heading of part.headings ?? []) if (!this.pages.has(heading)) this.pages.set(heading, part.page)
    }
  }

  /** @param start the position of the line in the text that all lines make up */
  addLine(textField: TextField, start: number): void {
    const end = start + textField.text.length
    this.lines.fields.push(textField)
    this.lines.spans.push({ start, end })
    this.lines.ends.push(end)
  }

  /** For a text of the result, or the text that the line belongs to. */
  locateIn({ path, leaf }: TextField): LocateIn {
    const { list } = this
    if (leaf !== 'line' && path[0] !== list) return ({ text }, found) => locatedInField(showPath(path), text, found)
    return ({ start }, found) =>
      found
        .map((one) => ({ ...one, start: start + one.start, end: start + one.end }))
        .flatMap((one) => (leaf === 'line' ? this.locateInLines(one) : [this.locate(list, one)]))
  }

  /** Where the finding is in each line that it is in. */
  private locateInLines(found: FoundSpan): readonly LocatedFinding[] {
    return partsIn(this.lines, found).flatMap(({ textIndex, start, end }) => {
      const { path, text } = this.lines.fields[textIndex] ?? { path: [], text: '' }
      const [list, position] = path
      if (list === this.list) return [this.locateAt(Number(position), found)]
      const inLine = locatedInField(showPath(path), text, [{ ...found, start, end }])
      return inLine.map((one) => ({ ...one, ...this.placeOf(path) }))
    })
  }

  /** The page and the number of a heading. The title, which is in no list, has none. */
  private placeOf([, position]: Path): Pick<LocatedFinding, 'page' | 'heading'> {
    if (typeof position !== 'number') return {}
    const page = this.pages.get(position)
    return { ...(page === undefined ? {} : { page }), heading: position + 1 }
  }

  /** The place behind the text of a part, of what is found in a line of it. */
  private locateAt(part: number, found: FoundSpan): LocatedFinding {
    const position = (this.starts[part] ?? 0) + (this.parts[part]?.text.length ?? 0)
    return this.locate(this.list, { ...found, start: position, end: position })
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
