/**
 * Measures how well personal information is found, through HTTP: F1 of spans, exact and by overlap, adjacent places
 * joined on both sides; the templates that the recognisers were made with apart from the others.
 */

import { alignColumns } from '@sallyport/core'
import { readRows } from './data.js'
import { countSpans, scoresOf, sumOf } from './spans.js'
import type { LabelledSpan, SpanCounts } from './spans.js'
import { measureTarget } from './target.js'
import type { Target } from './target.js'

const file = 'pii/labelled.jsonl'

interface Row {
  readonly text: string
  readonly spans: readonly LabelledSpan[]
  readonly template_id: number
}

interface Answer {
  readonly checks: readonly { readonly pii_types_and_positions: readonly LabelledSpan[] }[]
}

/** What the labels are called here; empty: not looked for. */
const types: Readonly<Record<string, string>> = { ADDRESS: 'LOCATION', DOMAIN_NAME: 'URL', TITLE: '', PREFIX: '' }

const joined = (spans: readonly LabelledSpan[], text: readonly string[]): LabelledSpan[] => {
  const result: LabelledSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    const isNext = last?.type === 'LOCATION' && span.type === 'LOCATION' && span.start >= last.end
    if (last && isNext && /^[\s,>]*$/.test(text.slice(last.end, span.start).join('')))
      result[result.length - 1] = { ...last, end: span.end }
    else result.push(span)
  }
  return result
}

const printTable = (title: string, counts: ReadonlyMap<string, SpanCounts>): void => {
  const row = (name: string, one: SpanCounts) => {
    const { exact, overlap, precision, recall } = scoresOf(one)
    const figures = [exact, overlap, precision, recall].map((value) => value.toFixed(3))
    return [name, String(one.labelled), String(one.found), ...figures]
  }
  const rows = [...counts].sort(([, a], [, b]) => b.labelled - a.labelled).map(([type, one]) => row(type, one))
  const head = [title, 'labelled', 'found', 'exact F1', 'overlap F1', 'precision', 'recall']
  console.log(alignColumns([head, ...rows, row('all', sumOf(counts.values()))]).join('\n'), '\n')
}

const measure = async ({ post, model }: Target): Promise<void> => {
  const rows = readRows<Row>(file)
  const templates = [...new Set(rows.map((row) => row.template_id))].sort((a, b) => a - b)
  const seen = new Set(templates.filter((_, index) => index % 2 === 0))
  const counts = { seen: new Map<string, SpanCounts>(), unseen: new Map<string, SpanCounts>() }
  const begin = performance.now()
  for (const { text, spans, template_id: template } of rows) {
    const { checks } = await post<Answer>('/PII', { model, prompt: text, replace: false })
    const characters = Array.from(text)
    const labelled = spans.map((span) => ({ ...span, type: types[span.type] ?? span.type })).filter(({ type }) => type)
    const found = checks[0]?.pii_types_and_positions ?? []
    const split = counts[seen.has(template) ? 'seen' : 'unseen']
    countSpans(split, joined(labelled, characters), joined(found, characters))
  }
  const length = rows.reduce((sum, { text }) => sum + text.length, 0)
  printTable('templates that were looked at', counts.seen)
  printTable('templates that were not', counts.unseen)
  console.log(
    `${((performance.now() - begin) / (length / 1000)).toFixed(1)} ms for 1,000 characters, one request after the other`,
  )
}

await measureTarget('pii', 'pii', measure, {
  plugins: ['@sallyport/onnx', '@sallyport/pii'],
  models: {
    rampart: { backend: 'onnx' },
    pii: { backend: 'pii', options: { model: 'rampart' } },
    'pii-patterns': { backend: 'pii' },
  },
})
