import { parse } from 'csv-parse/sync'
import { occurrences } from '../element-budget.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree, Table } from '../model/blocks.js'
import { simpleTable, textLines } from '../model/inlines.js'

const delimiters = [',', ';', '\t', '|'] as const

/** Max lines and characters of the sample on which each delimiter is tried. */
const sampleLines = 50
const sampleCharacters = 2 ** 18

/** Reads CSV with the delimiter that fits best; undefined where none does. @throws DocumentProblem */
export const csvTable = (source: string, elements: ElementBudget): DocumentTree | undefined => {
  const delimiter = delimiterOf(source)
  if (delimiter === undefined) return undefined
  const rows = elements.attempt(occurrences(source, `${delimiter}\n`), () => rowsOf(source, delimiter))
  return rows && { blocks: [tableOf(rows)] }
}

export const tableOf = (rows: readonly (readonly string[])[]): Table =>
  simpleTable(rows.map((row) => row.map((cell) => (cell.trim() === '' ? [] : textLines(cell.trim())))))

const rowsOf = (source: string, delimiter: string): string[][] | undefined => {
  try {
    return parse(source, { delimiter, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true, bom: true })
  } catch {
    return undefined
  }
}

/** The delimiter that splits most lines into the same number of cells, at least two. */
const delimiterOf = (source: string): string | undefined => {
  const head = source.slice(0, sampleCharacters).split('\n', sampleLines).join('\n')
  // the last line of a sample may be cut off
  const sample = source.length > head.length + 1 ? head.replace(/\n[^\n]*$/, '') : head
  const scored = delimiters.map((delimiter) => {
    const widths = (rowsOf(sample, delimiter) ?? []).map((row) => row.length)
    const common = mostFrequent(widths)
    const share = widths.filter((width) => width === common).length / Math.max(1, widths.length)
    const isProse = delimiter === ',' && looksLikeProse(head)
    const fits = common > 1 && widths.length > 1 && share >= 0.6 && !isProse
    return { delimiter, score: fits ? share * Math.min(common, 20) : 0 }
  })
  const [best] = scored.sort((one, other) => other.score - one.score)
  return best && best.score > 0 ? best.delimiter : undefined
}

/** Whether most commas have spaces after them, and a third of the lines ends as sentences do. */
const looksLikeProse = (text: string): boolean => {
  const count = (pattern: RegExp) => (text.match(pattern) ?? []).length
  return count(/, /g) > count(/,/g) * 0.8 && count(/[.!?:]$/gm) * 3 > text.split('\n').length
}

const mostFrequent = (values: readonly number[]): number => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}
