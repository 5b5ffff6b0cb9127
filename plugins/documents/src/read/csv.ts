import { parse } from 'csv-parse/sync'
import { occurrences } from '../element-budget.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree, Table } from '../model/blocks.js'
import { textLines } from '../model/inlines.js'

const delimiters = [',', ';', '\t', '|'] as const

/** Max lines and characters of the sample by which tables are detected: each delimiter is tried on it. */
const sampleLines = 50
const sampleCharacters = 2 ** 18

/** Reads CSV with the delimiter that fits the text; undefined where it is no table. */
export const csvTable = (source: string, elements: ElementBudget): DocumentTree | undefined => {
  const delimiter = delimiterOf(source)
  if (delimiter === undefined) return undefined
  const rows = elements.attempt(occurrences(source, `${delimiter}\n`), () => rowsOf(source, delimiter))
  return rows && { blocks: [tableOf(rows)] }
}

export const tableOf = (rows: readonly (readonly string[])[]): Table => ({
  type: 'table',
  headers: 1,
  rows: rows.map((row) =>
    row.map((cell) => ({
      content: cell.trim() === '' ? [] : [{ type: 'paragraph' as const, content: textLines(cell.trim()) }],
      columns: 1,
      rows: 1,
    })),
  ),
})

const rowsOf = (source: string, delimiter: string): string[][] | undefined => {
  try {
    return parse(source, { delimiter, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, bom: true })
  } catch {
    return undefined
  }
}

/** The delimiter that splits most lines into equally many cells, at least two. */
const delimiterOf = (source: string): string | undefined => {
  const head = source.slice(0, sampleCharacters).split('\n', sampleLines)
  const cutOff = source.length > head.join('\n').length + 1
  const lines = head.join('\n')
  const scored = delimiters.map((delimiter) => {
    const widths = (rowsOf(cutOff ? lines.replace(/\n[^\n]*$/, '') : lines, delimiter) ?? []).map((row) => row.length)
    const common = mostFrequent(widths)
    const alike = widths.filter((width) => width === common).length / Math.max(1, widths.length)
    const spaced = delimiter === ',' && looksLikeProse(lines)
    return {
      delimiter,
      score: common < 2 || widths.length < 2 || alike < 0.6 || spaced ? 0 : alike * Math.min(common, 20),
    }
  })
  const [best] = scored.sort((one, other) => other.score - one.score)
  return best && best.score > 0 ? best.delimiter : undefined
}

/** Commas of sentences are followed by spaces, and their lines end in full stops. */
const looksLikeProse = (text: string): boolean => {
  const [spaced, all] = [/, /g, /,/g].map((pattern) => (text.match(pattern) ?? []).length)
  const ends = (text.match(/[.!?:]$/gm) ?? []).length
  return (spaced ?? 0) > (all ?? 0) * 0.8 && ends * 3 > text.split('\n').length
}

const mostFrequent = (values: readonly number[]): number => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}
