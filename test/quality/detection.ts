/** Measures a detector of spans on rows that are labelled, as `sallyport guard eval` does at one threshold, by kind. */

import { writeFileSync } from 'node:fs'
import { alignColumns } from '@sallyport/kit/text'
import type { Finding, SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { shareInterval } from './proportion.js'
import type { Table } from './table.js'

export interface DetectionRow {
  readonly text: string
  readonly label: boolean
  /** What it is counted with. */
  readonly groups: readonly string[]
  /** For whoever looks at mistakes. */
  readonly source: string
  /** Of a labelled row: what must lie in findings. Absent where any finding will do. */
  readonly part?: string
}

const threshold = 0.5

const isHit = ({ text, part }: DetectionRow, findings: readonly Finding[]): boolean => {
  if (part === undefined) return findings.length > 0
  const start = text.indexOf(part)
  return findings.some((one) => one.start <= start && start + part.length <= one.end)
}

/** Counted rows by group; whether each was found. */
export const detect = async (
  detector: SpanDetector,
  rows: readonly DetectionRow[],
): Promise<Map<string, boolean[]>> => {
  const byGroup = new Map<string, boolean[]>()
  let [milliseconds, length] = [0, 0]
  for (const row of rows) {
    const begin = performance.now()
    const findings = (await detector.inspect({ text: row.text }, testCall())).findings.filter(
      ({ score }) => score >= threshold,
    )
    milliseconds += performance.now() - begin
    length += row.text.length
    const found = row.label ? isHit(row, findings) : findings.length > 0
    if (process.argv.includes('--show') && found !== row.label) show(row, findings)
    for (const group of row.groups) byGroup.set(group, [...(byGroup.get(group) ?? []), found])
  }
  console.log(`${(milliseconds / (length / 1000)).toFixed(3)} ms for 1,000 characters, ${rows.length} texts`)
  return byGroup
}

const show = ({ text, label, source, groups }: DetectionRow, findings: readonly Finding[]): void => {
  console.log(`${label ? 'MISSED' : 'FALSE ALARM'} ${groups.join(', ')}: ${source}`)
  if (label) console.log(`   ${JSON.stringify(text.slice(0, 300))}`)
  for (const { type, start, end } of findings)
    console.log(`   ${type} ${JSON.stringify(text.slice(Math.max(0, start - 60), Math.min(end, start + 120) + 10))}`)
}

/** Shares with their intervals; in the table more is better. @param isGood whether rows of a group are to be found */
export const tableOf = (
  counted: ReadonlyMap<string, readonly boolean[]>,
  isGood: (group: string) => boolean,
): Table => {
  const lines: string[][] = [['', 'rows', 'found', 'share', '95 %']]
  const table: Record<string, Record<string, number>> = {}
  for (const [group, results] of counted) {
    const found = results.filter(Boolean).length
    const [low, high] = shareInterval(found, results.length)
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`
    lines.push([
      group,
      String(results.length),
      String(found),
      percent(found / results.length),
      `${percent(low)} to ${percent(high)}`,
    ])
    const round = (value: number) => Number(value.toFixed(4))
    const share = found / results.length
    table[group] = {
      ...{ rows: results.length, found, share: round(share), low: round(low), high: round(high) },
      right: round(isGood(group) ? share : 1 - share),
    }
  }
  console.log(alignColumns(lines, { right: [1, 2, 3] }).join('\n'))
  return table
}

/** One row in the table may go either way on other texts; counts and shares are for readers. */
export const allowed = (figure: string, { rows = 1 }: Readonly<Record<string, number>>): number =>
  figure === 'right' ? 0.01 + 1 / rows : Infinity

/** `--rows <file>`: writes the rows for `sallyport guard eval`. */
export const writeRows = (rows: readonly DetectionRow[]): void => {
  const at = process.argv.indexOf('--rows')
  const file = process.argv[at + 1]
  if (at < 0 || file === undefined) return
  writeFileSync(file, rows.map(({ text, label }) => `${JSON.stringify({ text, label: Number(label) })}\n`).join(''))
}
