/**
 * Measures the guards at their default operating points on development rows: texts of templates and packages that were
 * kept away from training, as `plugins/guards/training/develop.py --rows FILE` writes them. Compares with
 * guard-development.json beside it (`--write` writes it).
 */

import { createReadStream, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { injection, toxicity } from '@sallyport/checks'
import type { InspectionRequest, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { mapBounded } from '@sallyport/kit/async'
import { alignColumns } from '@sallyport/kit/text'
import { testCall } from '@sallyport/testing'
import { interval } from './interval.js'
import { shareInterval } from './proportion.js'
import { compareOrWrite } from './table.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    kinds: { type: 'boolean', default: false },
    show: { type: 'string' },
    save: { type: 'string' },
  },
})

/** One text. Rows of one group are not independent; `bad` is what is to be flagged. */
interface Row {
  readonly set: string
  readonly kind: string
  readonly group: string
  readonly check: 'injection' | 'toxicity'
  readonly bad: boolean
  readonly request: InspectionRequest
}

interface Judged extends Row {
  readonly score: number
  readonly flagged: boolean
}

const detectors = { injection, toxicity }

/** Texts at the same time: one for each of the model's threads. */
const atOnce = 2

const readRows = async (file: string): Promise<Row[]> => {
  const rows: Row[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) rows.push(JSON.parse(line) as Row)
  return rows
}

const judgeAll = (kernel: Kernel, rows: readonly Row[]): Promise<Judged[]> => {
  let done = 0
  return mapBounded(rows, atOnce, async (row) => {
    const call = testCall({ deadline: Date.now() + 600_000 })
    const { score, explanation } = await kernel.get(detectors[row.check], row.check).inspect(row.request, call)
    done += 1
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${rows.length}`)
    const judged = { ...row, score, flagged: score >= 0.5 }
    if (values.show === row.set && judged.flagged !== row.bad)
      console.log(`${row.kind} ${score.toFixed(2)} ${explanation}: ${JSON.stringify(row.request.text.slice(0, 300))}`)
    return judged
  })
}

const shareFlagged = (rows: readonly Judged[]): number => rows.filter(({ flagged }) => flagged).length / rows.length

/** Over groups drawn anew, and never narrower than as many independent rows would have it. */
const intervalOf = (rows: readonly Judged[]): readonly [number, number] => {
  const flagged = rows.filter((row) => row.flagged).length
  const bounds = [...interval(rows, shareFlagged), ...shareInterval(flagged, rows.length)]
  return [Math.min(...bounds), Math.max(...bounds)]
}

const lineOf = (name: string, rows: readonly Judged[]): string[] => {
  const percent = (share: number) => (100 * share).toFixed(1)
  const groups = new Set(rows.map(({ group }) => group)).size
  return [name, `${rows.length}`, `${groups}`, percent(shareFlagged(rows)), intervalOf(rows).map(percent).join(' to ')]
}

const by = (rows: readonly Judged[], nameOf: (row: Judged) => string): (readonly [string, Judged[]])[] =>
  [...new Set(rows.map(nameOf))].sort().map((name) => [name, rows.filter((row) => nameOf(row) === name)])

const report = (rows: readonly Judged[]): void => {
  const lines = by(rows, ({ set }) => set).flatMap(([set, own]) => [
    lineOf(set, own),
    ...(values.kinds ? by(own, ({ kind }) => kind).map(([kind, some]) => lineOf(`  ${kind}`, some)) : []),
  ])
  console.log(alignColumns([['', 'texts', 'groups', 'flagged, %', '95 %'], ...lines]).join('\n'))
}

/** More is better: what is rightly flagged, and what is rightly not. */
const tableOf = (rows: readonly Judged[]) =>
  Object.fromEntries(
    by(rows, ({ set }) => set).map(([set, own]) => [
      set,
      { right: own.filter(({ flagged, bad }) => flagged === bad).length / own.length },
    ]),
  )

const [file] = positionals
if (file === undefined)
  throw new Error('usage: node test/dist/quality/guard-development.js ROWS [--kinds] [--show SET] [--save FILE]')
const rows = await readRows(file)
const kernel = await createKernel({
  plugins: ['@sallyport/onnx', '@sallyport/guards'],
  models: {
    guard: { backend: 'onnx' },
    injection: { backend: 'injection', options: { model: 'guard' } },
    toxicity: { backend: 'toxicity' },
  },
})
try {
  const judged = await judgeAll(kernel, rows)
  if (values.save !== undefined) writeFileSync(values.save, judged.map((row) => `${JSON.stringify(row)}\n`).join(''))
  report(judged)
  compareOrWrite('guard-development.json', tableOf(judged), () => 0.01)
} finally {
  await kernel.stop()
}
