import { boundsOf, edgesOf, median } from '../../geometry.js'
import type { Box, Edges } from '../../geometry.js'
import type { Character, PageLink } from './page.js'

/** Characters with the same style. */
interface Run {
  text: string
  readonly bold: boolean
  readonly url: string | undefined
}

/** A part of a line without a wide gap. */
export interface Segment extends Edges {
  readonly size: number
  readonly bold: boolean
  readonly runs: readonly Run[]
}

export const textOfSegment = ({ runs }: Pick<Segment, 'runs'>): string => runs.map(({ text }) => text).join('')

/** Min widths, in font sizes, of a space and of a gap between columns or cells. */
const minSpace = 0.17
const minGap = 1.1

/** The lines of a page, cut at wide gaps, in the order of the page's content stream. */
export const segmentsOf = (characters: readonly Character[], links: readonly PageLink[]): Segment[] => {
  const segments: Segment[] = []
  let open: Character[] = []
  const flush = () => {
    const segment = segmentOf(open, links)
    if (segment) segments.push(segment)
    open = []
  }
  for (const character of characters) {
    const last = open.at(-1)
    if (last && !follows(last, character)) flush()
    open.push(character)
  }
  flush()
  return joinSegments(segments)
}

const middle = ({ top, height }: Box) => top + height / 2

const follows = (last: Character, next: Character): boolean => {
  const size = Math.max(last.size, next.size, 1)
  const gap = next.box.left - (last.box.left + last.box.width)
  return (
    Math.abs(middle(last.box) - middle(next.box)) < 0.6 * size &&
    gap < minGap * size &&
    gap > -2.5 * size &&
    !isFarBack(last, next)
  )
}

/** Whether the next character is left of the last one, as at the start of a new line. */
const isFarBack = (last: Character, next: Character): boolean =>
  next.box.left + next.box.width < last.box.left - last.size

const segmentOf = (characters: readonly Character[], links: readonly PageLink[]): Segment | undefined => {
  const visible = characters.filter(({ text }) => text.trim() !== '')
  const [first] = visible
  if (!first) return undefined
  const runs: Run[] = []
  let previous: Character | undefined
  for (const character of characters) {
    if (!previous && character.text.trim() === '') continue
    const gap = previous ? character.box.left - (previous.box.left + previous.box.width) : 0
    const isSpace = gap > minSpace * character.size && /\S$/.test(previous?.text ?? '') && /^\S/.test(character.text)
    addTo(runs, (isSpace ? ' ' : '') + character.text, character, links)
    previous = character
  }
  const last = runs.at(-1)
  if (last) last.text = last.text.trimEnd()
  return {
    ...boundsOf(visible.map(({ box }) => edgesOf(box))),
    size: median(visible.map(({ size }) => size)),
    bold: visible.filter(({ bold }) => bold).length * 2 > visible.length,
    runs,
  }
}

const addTo = (runs: Run[], text: string, { bold, box }: Character, links: readonly PageLink[]): void => {
  const url = links.length ? linkAt(links, box.left + box.width / 2, middle(box)) : undefined
  const last = runs.at(-1)
  if (last && last.url === url && (last.bold === bold || text.trim() === '')) last.text += text
  else runs.push({ text, bold, url })
}

const linkAt = (links: readonly PageLink[], x: number, y: number): string | undefined =>
  links.find(({ box }) => x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height)?.url

/** Joins segments that the page writes separately though no gap is between them. */
const joinSegments = (segments: readonly Segment[]): Segment[] => {
  const result: Segment[] = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (last && isBeside(last, segment)) result[result.length - 1] = mergeSegments(last, segment)
    else result.push(segment)
  }
  return result
}

const isBeside = (one: Segment, next: Segment): boolean => {
  const size = Math.max(one.size, next.size)
  const gap = next.left - one.right
  const level = Math.abs((one.top + one.bottom) / 2 - (next.top + next.bottom) / 2) < 0.4 * size
  return level && gap > -0.3 * size && gap < minGap * size
}

const mergeSegments = (one: Segment, other: Segment): Segment => ({
  ...boundsOf([one, other]),
  size: textOfSegment(one).length >= textOfSegment(other).length ? one.size : other.size,
  bold: one.bold && other.bold,
  runs: [
    ...one.runs,
    ...(other.left - one.right > minSpace * other.size ? [{ text: ' ', bold: false, url: undefined }] : []),
    ...other.runs,
  ],
})
