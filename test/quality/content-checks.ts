/**
 * Measures the checks of content on rows of our own making, and on a thousand ordinary texts, in which they should find
 * nothing: the area under the curve, what is caught and what counts by mistake at a score of 0.5, with the middle 95 %
 * of rows drawn anew; of all rows and of those that nobody looked at. `node … [check …] [--write] [--errors]`.
 * Compares with the tables of their names beside it.
 */

import { alignColumns } from '@sallyport/kit/text'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import { areaUnderCurve } from './auc.js'
import type { Scored } from './auc.js'
import * as language from './content-checks/language.js'
import type { Measured, Row } from './content-checks/rows.js'
import * as promptLeak from './content-checks/prompt-leak.js'
import * as topics from './content-checks/topics.js'
import * as words from './content-checks/words.js'
import { interval } from './interval.js'
import { compareOrWrite } from './table.js'

const all: readonly Measured[] = [words.measured, promptLeak.measured, topics.measured, language.measured]

type Result = Scored & { readonly row: Row }

/** Scores from here on count. */
const threshold = 0.5

const scored = async (kernel: Kernel, { check }: Measured, rows: readonly Row[]): Promise<Result[]> => {
  const results: Result[] = []
  const begin = performance.now()
  for (const row of rows) {
    const { text, reference, options } = row.request
    const asked = { ...(reference === undefined ? {} : { reference }), ...(options ? { options } : {}) }
    const { score } = await kernel.inspect(check.name, text, { ...asked, deadline: Date.now() + 600_000 })
    results.push({ row, score, bad: row.bad })
  }
  const length = rows.reduce((sum, { request }) => sum + request.text.length, 0)
  console.log(`${((performance.now() - begin) / (length / 1000)).toFixed(2)} ms for 1,000 characters`)
  return results
}

/** Of rows that are bad, or that are not, the part that counts. */
const share = (rows: readonly Scored[], bad: boolean): number => {
  const some = rows.filter((row) => row.bad === bad)
  return some.filter(({ score }) => score >= threshold).length / some.length
}
const recall = (rows: readonly Scored[]) => share(rows, true)
const falseAlarms = (rows: readonly Scored[]) => share(rows, false)

/** Where all rows or none count, rows drawn anew do, too: the rule of three says what is left. */
const intervalOf = (rows: readonly Scored[], bad: boolean): readonly [number, number] => {
  const count = rows.filter((row) => row.bad === bad).length
  const value = share(rows, bad)
  if (value === 0) return [0, 3 / count]
  return value === 1 ? [1 - 3 / count, 1] : interval(rows, (drawn) => share(drawn, bad))
}

const figuresOf = (rows: readonly Scored[]) => {
  const [area, caught, counted] = [interval(rows, areaUnderCurve), intervalOf(rows, true), intervalOf(rows, false)]
  return {
    rows: rows.length,
    auc: areaUnderCurve(rows),
    aucLow: area[0],
    aucHigh: area[1],
    recall: recall(rows),
    recallLow: caught[0],
    recallHigh: caught[1],
    withoutFalseAlarm: 1 - falseAlarms(rows),
    withoutFalseAlarmLow: 1 - counted[1],
    withoutFalseAlarmHigh: 1 - counted[0],
  }
}

const rounded = (figures: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]))

const tell = (name: string, results: readonly Result[]): void => {
  const parts = { all: results, 'held out': results.filter(({ row }) => row.heldOut) }
  const table = Object.fromEntries(
    Object.entries(parts).map(([part, rows]) => [part, rounded(figuresOf(rows))] as const),
  )
  const names = Object.keys(table['all'] ?? {})
  const lines = Object.entries(table).map(([part, figures]) => [part, ...names.map((one) => String(figures[one]))])
  console.log(alignColumns([[name, ...names], ...lines]).join('\n'))
  for (const kind of new Set(results.map(({ row }) => row.kind))) {
    const rows = results.filter(({ row }) => row.kind === kind)
    const wrong = rows.filter(({ score, bad }) => score >= threshold !== bad)
    if (wrong.length) console.log(`  wrong: ${wrong.length} of ${rows.length} ${kind}`)
    if (process.argv.includes('--errors'))
      for (const { row, score } of wrong.filter((one) => !one.row.heldOut))
        console.log(`    ${score.toFixed(2)} ${JSON.stringify(row.request.text.slice(0, 300))}`)
  }
  compareOrWrite(`${name}.json`, table, (figure) => (/Low$|High$|rows/.test(figure) ? Infinity : 0.01))
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

const kernel = await createKernel({
  plugins: ['@sallyport/onnx', '@sallyport/content-checks'],
  models: { 'all-minilm-l6-v2': { backend: 'onnx' }, topics: { backend: 'topics' } },
  callerPolicy: { input: { language: { allow: ['en'] } } },
})
try {
  for (const measured of all.filter(({ check }) => !wanted.length || wanted.includes(check.name)))
    tell(measured.check.name, await scored(kernel, measured, await measured.rows()))
} finally {
  await kernel.stop()
}
