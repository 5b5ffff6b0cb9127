import { maxOf } from '@sallyport/kit/lists'
import { boundsOf, boxAround, median } from '../../geometry.js'
import type { Edges } from '../../geometry.js'
import type { Block, Inline } from '../../model/blocks.js'
import { plainOf, text, normaliseSpace, withoutMarks } from '../../model/inlines.js'
import type { ListEntry } from '../../model/lists.js'
import type { FontSizes } from './font-sizes.js'
import type { Line } from './order.js'
import { textOfSegment } from './segments.js'
import type { Segment } from './segments.js'

interface Row extends Segment {
  readonly text: string
}

/** Bullets; symbol fonts use private use and control characters for them. */
const bullet = /^[•●▪■◦‣·○❖➢✓\p{Co}\x80-\x9f]\s*|^[–—*-]\s+/u
const numeral = /^\(?(\d{1,3})[.)]\s+(?=\S)/

/** Groups the lines of a region into paragraphs, headings and entries of lists. */
export const paragraphsOf = (lines: readonly Line[], fonts: FontSizes, page: number): (Block | ListEntry)[] => {
  const rows = lines.map(rowOf)
  const edges = boundsOf(rows)
  const pitch = median(rows.slice(1).map((row, index) => row.top - (rows[index]?.top ?? 0)))
  const groups: Row[][] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && continues(last, row, edges, pitch, fonts)) last.push(row)
    else groups.push([row])
  }
  return groups.map((group) => blockOf(group, fonts, page))
}

const rowOf = (line: Line): Row => ({
  runs: line.flatMap(({ runs }, index) => (index ? [{ text: ' ', bold: false, url: undefined }, ...runs] : runs)),
  ...boundsOf(line),
  size: median(line.map(({ size }) => size)),
  bold: line.every(({ bold }) => bold),
  text: line.map(textOfSegment).join(' '),
})

const continues = (group: readonly Row[], row: Row, edges: Edges, pitch: number, fonts: FontSizes): boolean => {
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last) return false
  const size = Math.max(last.size, row.size)
  if (Math.abs(last.size - row.size) > 0.1 * size || last.bold !== row.bold) return false
  if (row.top - last.top > Math.max(1.35 * pitch, 1.1 * size) && row.top - last.bottom > 0.45 * size) return false
  if (row.top - last.bottom > 1.2 * size || row.top < last.top - size) return false
  if (bullet.test(row.text) || numeral.test(row.text)) return false
  const isItem = bullet.test(first.text) || numeral.test(first.text)
  if (isItem) return row.left > first.left + 0.3 * size
  if (levelOf(first, fonts) !== undefined) return levelOf(row, fonts) === levelOf(first, fonts)
  const isShort = last.right < edges.right - 0.18 * (edges.right - edges.left)
  if (isShort && /[.!?:;]["'”’)]?$/.test(last.text)) return false
  const isIndented = row.left > last.left + 0.8 * size && Math.abs(last.left - edges.left) < 0.5 * size
  return !(isIndented && /[.!?:"”)]$/.test(last.text))
}

const blockOf = (group: readonly Row[], fonts: FontSizes, page: number): Block | ListEntry => {
  const place = { page, box: boxAround(group) }
  const [first] = group
  const content = contentOf(group)
  const marker = first && (bullet.exec(first.text) ?? numeral.exec(first.text))
  const level = first && !bullet.test(first.text) && group.length <= 4 ? levelOf(first, fonts) : undefined
  if (level !== undefined && /\p{L}/u.test(plainOf(content)) && plainOf(content).length <= 200)
    return { type: 'heading', level, content: withoutMarks(content), ...place }
  if (!marker || plainOf(content).length <= marker[0].trim().length) return { type: 'paragraph', content, ...place }
  const rest = normaliseSpace(dropCharacters(content, marker[0].length))
  const number = Number(marker[1] ?? 1)
  const block: Block = { type: 'paragraph', content: rest, ...place }
  return { level: 0, ordered: marker[1] !== undefined, number, content: [block] }
}

/** The level of a heading; undefined for text. */
const levelOf = ({ size, bold, text: line }: Row, { body, headings }: FontSizes): number | undefined => {
  const place = headings.findIndex((height) => Math.abs(height - size) < 0.03 * size)
  if (place >= 0) return Math.min(6, place + 1)
  const mayBeHeading =
    bold && line.length < 100 && size >= 0.95 * body && /^[\p{Lu}\p{N}]/u.test(line) && !/[.,;:]$/.test(line)
  return mayBeHeading && !numeral.test(`${line} `) && line.length > 2 ? Math.min(6, headings.length + 1) : undefined
}

/** Joins the lines of a paragraph or a cell, and words that were hyphenated at their ends. */
export const contentOf = (rows: readonly Pick<Row, 'runs' | 'left' | 'right'>[]): Inline[] => {
  const content: Inline[] = []
  const edge = maxOf(rows.map(({ right }) => right))
  for (const [index, { runs }] of rows.entries()) {
    const above = rows[index - 1]
    const first = runs[0]?.text ?? ''
    const bold = above?.runs.at(-1)?.bold === true && runs[0]?.bold === true
    if (above && !joinsWord(content, first))
      content.push(text(above.right + firstWidth(rows[index]) < edge ? '\n' : ' ', bold ? ['bold'] : []))
    for (const run of runs) {
      const one = text(run.text, run.bold && /[\p{L}\p{N}]/u.test(run.text) ? ['bold'] : [])
      content.push(run.url ? { type: 'link', url: run.url, content: [one] } : one)
    }
  }
  return normaliseSpace(content.map(withoutSoftHyphens))
}

/** The width of the first word and a space. A line above that has room for it ends with a deliberate line break. */
const firstWidth = (row: Pick<Row, 'runs' | 'left' | 'right'> | undefined): number => {
  const line = row?.runs.map((run) => run.text).join('') ?? ''
  const word = /^\S*/.exec(line)?.[0].length ?? 0
  return row && line ? ((row.right - row.left) * (word + 2)) / line.length : 0
}

/** Removes the hyphen at the end where a word continues. @returns whether there was one */
const joinsWord = (content: Inline[], next: string): boolean => {
  const last = content.at(-1)
  if (last?.type !== 'text') return false
  const hyphenated = /\u00ad$/.test(last.text) || (/\p{Ll}-$/u.test(last.text) && /^\p{Ll}/u.test(next))
  if (hyphenated) content[content.length - 1] = { ...last, text: last.text.slice(0, -1) }
  return hyphenated
}

const withoutSoftHyphens = (one: Inline): Inline =>
  one.type === 'text' ? { ...one, text: one.text.replaceAll('\u00ad', '') } : one

/** Removes characters at the start. */
const dropCharacters = (content: readonly Inline[], count: number): Inline[] => {
  let left = count
  return content.map((one) => {
    if (one.type !== 'text' || left === 0) return one
    const cut = one.text.slice(left)
    left = Math.max(0, left - one.text.length)
    return { ...one, text: cut }
  })
}
