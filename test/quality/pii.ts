/**
 * Measures how well personal information is found in labelled texts, and in sentences of our own: precision, recall and
 * F1 of spans, exact and by overlap, adjacent places joined on both sides; the templates that the recognisers were made
 * with apart from the others. With the model and by patterns alone; the F1 of all with the middle 95 % of templates
 * drawn anew. Compares with pii.json beside it (`--write` writes it), and fails where it got worse.
 */

import { alignColumns } from '@sallyport/kit/text'
import { createKernel } from '@sallyport/kernel'
import { pii } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { readRows } from './data.js'
import { interval } from './interval.js'
import { sentences } from './pii-sentences.js'
import { countSpans, joinedPlaces, scoresOf, sumOf } from './spans.js'
import type { LabelledSpan, SpanCounts } from './spans.js'
import { compareOrWrite } from './table.js'

interface Row {
  readonly text: string
  /** In code points. */
  readonly spans: readonly LabelledSpan[]
  readonly template_id: number
}

/** A text with its spans in UTF-16 code units, and where it belongs. */
interface Labelled {
  readonly text: string
  readonly spans: readonly LabelledSpan[]
  readonly template: string
  readonly half: string
}

/** A text with its counts by type; those of a template are drawn together. */
interface Counted {
  readonly half: string
  readonly group: string
  readonly counts: ReadonlyMap<string, SpanCounts>
}

/** What the labels are called here; empty: not looked for. */
const types: Readonly<Record<string, string>> = { ADDRESS: 'LOCATION', DOMAIN_NAME: 'URL', TITLE: '', PREFIX: '' }

const labelsOf = ({ text, spans }: Row): LabelledSpan[] => {
  const characters = Array.from(text)
  const unitOf = (character: number) => characters.slice(0, character).join('').length
  return spans
    .map(({ type, start, end }) => ({ type: types[type] ?? type, start: unitOf(start), end: unitOf(end) }))
    .filter(({ type }) => type)
}

const countIn = async (kernel: Kernel, model: string, rows: readonly Labelled[]): Promise<Counted[]> => {
  const results: Counted[] = []
  const begin = performance.now()
  for (const { text, spans, template, half } of rows) {
    const { findings } = await kernel.get(pii, model).inspect({ text })
    const counts = new Map<string, SpanCounts>()
    countSpans(counts, joinedPlaces(spans, text), joinedPlaces(findings, text))
    results.push({ half, group: template, counts })
  }
  const thousands = rows.reduce((sum, { text }) => sum + text.length, 0) / 1000
  console.log(
    `${model}: ${((performance.now() - begin) / thousands).toFixed(1)} ms for 1,000 characters, one after the other`,
  )
  return results
}

const byType = (rows: readonly Counted[]): Map<string, SpanCounts> => {
  const types = new Set(rows.flatMap(({ counts }) => [...counts.keys()]))
  return new Map(Array.from(types, (type) => [type, sumOf(rows.flatMap(({ counts }) => counts.get(type) ?? []))]))
}

const all = (rows: readonly Counted[]): SpanCounts => sumOf(rows.flatMap(({ counts }) => [...counts.values()]))

const measured: Record<string, Record<string, number>> = {}

const add = (title: string, rows: readonly Counted[]): void => {
  const line = (name: string, counts: SpanCounts) => {
    const scores = scoresOf(counts)
    measured[`${title}, ${name}`] = { labelled: counts.labelled, ...scores }
    return [
      name,
      ...[counts.labelled, counts.found].map(String),
      ...Object.values(scores).map((value) => value.toFixed(3)),
    ]
  }
  const intervals = (['exactF1', 'overlapF1'] as const).map((figure) => {
    const [low, high] = interval(rows, (drawn) => scoresOf(all(drawn))[figure])
    return `${figure} [${low.toFixed(3)}, ${high.toFixed(3)}]`
  })
  const lines = [...byType(rows)].sort(([, a], [, b]) => b.labelled - a.labelled).map(([type, one]) => line(type, one))
  const head = ['', 'labelled', 'found', 'exact P', 'R', 'F1', 'overlap P', 'R', 'F1']
  console.log(`\n${title}\n${alignColumns([head, ...lines, line('all', all(rows))]).join('\n')}`)
  console.log(`of all, over templates: ${intervals.join(', ')}`)
}

/** Every second template was looked at. */
const labelledRows = (): Labelled[] => {
  const rows = readRows<Row>('pii/labelled.jsonl')
  const templates = [...new Set(rows.map((row) => row.template_id))].sort((a, b) => a - b)
  const seen = new Set(templates.filter((_, index) => index % 2 === 0))
  return rows.map((row) => {
    const half = seen.has(row.template_id) ? 'looked at' : 'held out'
    return { text: row.text, spans: labelsOf(row), template: String(row.template_id), half }
  })
}

const measure = async (kernel: Kernel): Promise<void> => {
  for (const model of ['pii', 'pii-patterns'])
    for (const [title, rows] of [
      [model, labelledRows()],
      [`${model}, sentences`, sentences()],
    ] as const) {
      const counted = await countIn(kernel, model, rows)
      for (const half of ['looked at', 'held out'])
        add(
          `${title}, ${half}`,
          counted.filter((one) => one.half === half),
        )
    }
}

/** One span of a rare type may go either way on another machine. */
const allowed = (figure: string, { labelled = 0 }: Readonly<Record<string, number>>): number =>
  figure === 'labelled' ? Infinity : 0.01 + 1 / Math.max(1, labelled)

const kernel = await createKernel({
  plugins: ['@sallyport/onnx', '@sallyport/pii'],
  models: {
    rampart: { backend: 'onnx' },
    pii: { backend: 'pii', options: { model: 'rampart' } },
    'pii-patterns': { backend: 'pii' },
  },
})
try {
  await measure(kernel)
} finally {
  await kernel.stop()
}
compareOrWrite('pii.json', measured, allowed)
