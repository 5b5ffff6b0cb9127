/**
 * Measures how well attacks, toxic texts and unsupported claims are told, for each source of the evaluation data: the
 * area under the curve and what is caught at 1 % false alarms, with the middle 95 % of rows drawn anew, and what is
 * flagged at a score of 0.5. Compares with guards.json beside it (`--write` writes it), and fails where it got worse.
 */

import { alignColumns } from '@sallyport/kit/text'
import { createKernel } from '@sallyport/kernel'
import { factuality, injection, toxicity } from '@sallyport/checks'
import type { InspectionRequest, Kernel, Detector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { areaUnderCurve, recallAt, share } from './auc.js'
import type { Scored } from './auc.js'
import { readRows } from './data.js'
import { interval } from './interval.js'
import { compareOrWrite } from './table.js'

interface Row {
  readonly text?: string
  readonly claim?: string
  readonly reference?: string
  readonly label: number
  readonly source?: string
  readonly claim_id?: string
  readonly categories?: Readonly<Record<string, number>>
}

/** Differences that chance does not explain on the same rows. */
const tolerance: Readonly<Record<string, number>> = { auc: 0.01, recall: 0.03 }

const call = () => testCall({ deadline: Date.now() + 600_000 })

/** How rows are read. */
interface Reading {
  readonly requestOf: (row: Row) => InspectionRequest
  readonly isBad: (row: Row) => boolean
}

const scored = async (detector: Detector, rows: readonly Row[], { requestOf, isBad }: Reading) => {
  const results: (Scored & { readonly row: Row })[] = []
  let [milliseconds, length] = [0, 0]
  for (const row of rows) {
    const request = requestOf(row)
    const begin = performance.now()
    const { score } = await detector.inspect(request, call())
    milliseconds += performance.now() - begin
    length += request.text.length
    results.push({ row, score, bad: isBad(row), ...(row.claim_id !== undefined && { group: row.claim_id }) })
  }
  console.log(`${(milliseconds / (length / 1000)).toFixed(1)} ms for 1,000 characters, ${rows.length} texts`)
  return results
}

const texts: Reading = {
  requestOf: ({ text = '' }) => ({ text, origin: 'user' }),
  isBad: ({ label }) => label === 1,
}
/** Their labels say what is supported. */
const claims: Reading = {
  requestOf: ({ claim = '', reference = '' }) => ({ text: claim, reference }),
  isBad: ({ label }) => label === 0,
}

const lines: string[][] = [['', 'rows', 'AUC', '', 'recall at 1 %', '', 'flagged good', 'bad']]
const measured: Record<string, { readonly auc: number; readonly recall: number }> = {}

const add = (name: string, rows: readonly Scored[]): void => {
  const figures = (values: readonly number[]) => values.map((value) => value.toFixed(3)).join(' ')
  const recall = (drawn: readonly Scored[]) => recallAt(drawn, 0.01)
  measured[name] = { auc: areaUnderCurve(rows), recall: recall(rows) }
  lines.push([
    name,
    String(rows.length),
    figures([measured[name].auc]),
    `[${figures(interval(rows, areaUnderCurve))}]`,
    figures([measured[name].recall]),
    `[${figures(interval(rows, recall))}]`,
    figures([share(rows, ({ bad }) => !bad, 0.5)]),
    figures([share(rows, ({ bad }) => bad, 0.5)]),
  ])
}

const measure = async (kernel: Kernel): Promise<void> => {
  const prompts = readRows<Row>('injection/labelled.jsonl')
  for (const model of ['injection', 'injection-ngrams']) {
    const rows = await scored(kernel.get(injection, model), prompts, texts)
    for (const source of ['self-reminder', 'in-the-wild'])
      add(
        `${model}, ${source} against wildguard`,
        rows.filter(({ row }) => row.source === source || row.source === 'wildguard'),
      )
  }
  const toxic = await scored(kernel.get(toxicity, 'toxicity'), readRows<Row>('toxicity/labelled.jsonl'), texts)
  add('toxicity', toxic)
  for (const [code, name] of Object.entries({
    S: 'sexual',
    H: 'hate',
    HR: 'harassment',
    SH: 'self-harm',
    V: 'violence',
  }))
    add(
      `toxicity, ${name}`,
      toxic.filter(({ bad, row }) => !bad || row.categories?.[code] === 1),
    )
  const rows = readRows<Row>('factuality/labelled.jsonl')
  add('factuality', await scored(kernel.get(factuality, 'factuality'), rows, claims))
}

const kernel = await createKernel({
  plugins: ['@sallyport/onnx', '@sallyport/guards'],
  models: {
    guard: { backend: 'onnx' },
    injection: { backend: 'injection', options: { model: 'guard' } },
    'injection-ngrams': { backend: 'injection' },
    toxicity: { backend: 'toxicity' },
    factuality: { backend: 'factuality' },
  },
})
try {
  await measure(kernel)
} finally {
  await kernel.stop()
}
console.log(alignColumns(lines).join('\n'))
compareOrWrite('guards.json', measured, (figure) => tolerance[figure] ?? 0)
