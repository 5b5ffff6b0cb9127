import { countCodePoints } from '@sallyport/kit/text'
import type { ExtractedPart, ExtractionResult } from '@sallyport/core'
import type { Fragment } from '../write/fragments.js'
import { cut } from './cut.js'

/** A part that may still grow: a range of the contents in code points. */
interface OpenPart {
  readonly start: number
  end: number
  readonly page: number | undefined
  /** Indices of the headings above it in the list of all headings, outermost first. */
  headings: readonly number[]
  /** Whether it has only headings so far, to which the following text belongs. */
  onlyHeadings: boolean
}

type Parts = Pick<ExtractionResult, 'headings' | 'parts'>

/** The contents as one part. */
export const onePart = (fragments: readonly Fragment[]): Parts => {
  const text = fragments.map((fragment) => fragment.text).join('')
  const headings = fragments.flatMap(({ heading }) => heading?.title ?? [])
  return { headings, parts: text.trim() === '' ? [] : [{ text }] }
}

/**
 * Splits the contents into parts of at most `size` code points, each under one heading: whole blocks and rows where
 * they fit, else sentences, else words. A row is cut only where it is longer than a part.
 */
export const partsOf = (fragments: readonly Fragment[], size: number): Parts => {
  const characters = Array.from(fragments.map(({ text }) => text).join(''))
  const packer = new Packer(characters, size)
  const headings: string[] = []
  const path: { level: number; place: number }[] = []
  let start = 0
  for (const { heading, kind, page, text } of fragments) {
    const end = start + countCodePoints(text)
    if (heading) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push({ level: heading.level, place: headings.push(heading.title) - 1 })
    }
    if (text.trim() !== '')
      packer.add({ start, end, page, headings: path.map(({ place }) => place), onlyHeadings: kind === 'heading' })
    start = end
  }
  return { headings, parts: packer.units.map((unit, index) => toPart(unit, index, packer.units, characters)) }
}

/** White space between two parts belongs to the first of them. */
const toPart = (
  { start, page, headings }: OpenPart,
  index: number,
  units: readonly OpenPart[],
  characters: readonly string[],
): ExtractedPart => ({
  text: characters.slice(index === 0 ? 0 : start, units[index + 1]?.start).join(''),
  ...(page === undefined ? {} : { page }),
  ...(headings.length ? { headings: [...headings] } : {}),
})

class Packer {
  readonly units: OpenPart[] = []

  constructor(
    private readonly characters: readonly string[],
    private readonly size: number,
  ) {}

  add(unit: OpenPart): void {
    if (this.extend(unit)) return
    const last = this.units.at(-1)
    const stranded = last?.onlyHeadings === true && !unit.onlyHeadings && continues(last, unit)
    if (unit.end - unit.start <= this.size && !stranded) {
      this.units.push({ ...unit })
      return
    }
    const room = stranded ? last.start + this.size - unit.start : this.size
    for (const { start, end } of cut(this.characters, unit.start, unit.end, this.size, room > 0 ? room : this.size)) {
      const part = { ...unit, start, end }
      if (!this.extend(part)) this.units.push(part)
    }
  }

  private extend(unit: OpenPart): boolean {
    const last = this.units.at(-1)
    if (!last || unit.end - last.start > this.size || !continues(last, unit)) return false
    last.end = unit.end
    last.headings = unit.headings
    last.onlyHeadings &&= unit.onlyHeadings
    return true
  }
}

/** Whether the next unit has the same headings or, after a part of headings only, further ones below them. */
const continues = (one: OpenPart, next: OpenPart): boolean =>
  (one.onlyHeadings ? next.headings.length >= one.headings.length : next.headings.length === one.headings.length) &&
  one.headings.every((heading, index) => heading === next.headings[index])
