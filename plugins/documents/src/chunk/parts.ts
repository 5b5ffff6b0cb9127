import { countCodePoints } from '@sallyport/kit/text'
import { contentsOf } from '@sallyport/core'
import type { ExtractedPart, ExtractionRequest, ExtractionResult } from '@sallyport/core'
import { append } from '@sallyport/kit/lists'
import type { Fragment } from '../write/fragments.js'
import type { Piece } from '../write/marks.js'
import { Pieces } from './pieces.js'
import { cut } from './cut.js'

/** A part that may still grow: a range of the contents in code points. */
interface OpenPart {
  readonly start: number
  end: number
  readonly page: number | undefined
  /** Indices of the headings above it in the list of all headings, outermost first. */
  headings: readonly number[]
  /** Whether it has nothing but headings so far, with which the following text must stay. */
  onlyHeadings: boolean
}

type Parts = Pick<ExtractionResult, 'headings' | 'parts'>

/** The contents as one chunk. */
export const oneChunk = (fragments: readonly Fragment[]): Parts => {
  const pieces = new Pieces(piecesOf(fragments), 'text').remaining()
  const isBlank = pieces.every((piece) => contentsOf(piece, 'text').trim() === '')
  const headings = fragments.flatMap(({ heading }) => heading?.title ?? [])
  return { headings, parts: isBlank ? [] : chunkOf(pieces) }
}

const piecesOf = (fragments: readonly Fragment[]): Piece[] => fragments.flatMap(({ pieces }) => pieces)

/** Its pieces as parts, of which the first knows its place. */
const chunkOf = (pieces: readonly Piece[], place: Pick<ExtractedPart, 'page' | 'headings'> = {}): ExtractedPart[] =>
  pieces.map((piece, at) => (at ? { ...piece, continues: true } : { ...piece, ...place }))

/**
 * Splits the contents into chunks of at most `size` code points, each under one heading: whole blocks and rows where
 * they fit, else sentences, else words. A row is cut only where it is longer than a chunk.
 */
export const chunksOf = (fragments: readonly Fragment[], format: ExtractionRequest['format'], size: number): Parts => {
  const texts = fragments.map(({ pieces }) => pieces.map((piece) => contentsOf(piece, format)).join(''))
  const characters = Array.from(texts.join(''))
  const packer = new Packer(characters, size)
  const headings: string[] = []
  const path: { level: number; place: number }[] = []
  let start = 0
  for (const [at, { heading, page }] of fragments.entries()) {
    const text = texts[at] ?? ''
    const end = start + countCodePoints(text)
    if (heading) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push({ level: heading.level, place: headings.push(heading.title) - 1 })
    }
    if (text.trim() !== '')
      packer.add({ start, end, page, headings: path.map(({ place }) => place), onlyHeadings: heading !== undefined })
    start = end
  }
  const pieces = new Pieces(piecesOf(fragments), format)
  const parts: ExtractedPart[] = []
  for (const [index, { page, headings: above }] of packer.parts.entries()) {
    // white space between two chunks belongs to the first of them
    const next = packer.parts[index + 1]
    const place = { ...(page === undefined ? {} : { page }), ...(above.length ? { headings: [...above] } : {}) }
    append(parts, chunkOf(next ? pieces.upTo(next.start) : pieces.remaining(), place))
  }
  return { headings, parts }
}

class Packer {
  readonly parts: OpenPart[] = []

  constructor(
    private readonly characters: readonly string[],
    private readonly size: number,
  ) {}

  add(next: OpenPart): void {
    if (this.extend(next)) return
    const last = this.parts.at(-1)
    const isStranded = last?.onlyHeadings === true && !next.onlyHeadings && continues(last, next)
    if (next.end - next.start <= this.size && !isStranded) {
      this.parts.push(next)
      return
    }
    const room = isStranded ? last.start + this.size - next.start : this.size
    for (const { start, end } of cut(this.characters, next.start, next.end, this.size, room > 0 ? room : this.size)) {
      const part = { ...next, start, end }
      if (!this.extend(part)) this.parts.push(part)
    }
  }

  private extend(next: OpenPart): boolean {
    const last = this.parts.at(-1)
    if (!last || next.end - last.start > this.size || !continues(last, next)) return false
    last.end = next.end
    last.headings = next.headings
    last.onlyHeadings &&= next.onlyHeadings
    return true
  }
}

/** Whether the next part has the same headings or, after a part of headings only, further ones below them. */
const continues = (one: OpenPart, next: OpenPart): boolean =>
  (one.onlyHeadings ? next.headings.length >= one.headings.length : next.headings.length === one.headings.length) &&
  one.headings.every((heading, index) => heading === next.headings[index])
