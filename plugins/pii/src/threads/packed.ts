/** Packs findings to send them from a thread, as there may be hundreds of thousands. */

import { packRows, unpackRows } from '@sallyport/kit/threads'
import type { Rows } from '@sallyport/kit/threads'
import type { OpenSpan } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import type { FindingWithKind } from '../matching/neighbours.js'

export interface PackedFindings {
  /** Types and kinds, each once. */
  readonly names: readonly string[]
  /** A row for each finding: the index of its type in the names, that of its kind or -1, start, end and score. */
  readonly rows: Rows
}

export const packFindings = (findings: readonly FindingWithKind[]): PackedFindings => {
  const indices = new Map<string, number>()
  const indexOf = (name: string): number => {
    const index = indices.get(name) ?? indices.size
    indices.set(name, index)
    return index
  }
  const rows = packRows(findings, 5, ({ type, kind, start, end, score }) => {
    return [indexOf(type), kind === undefined ? -1 : indexOf(kind), start, end, score]
  })
  return { names: [...indices.keys()], rows }
}

export const unpackFindings = ({ names, rows }: PackedFindings, pacer: Pacer): Promise<FindingWithKind[]> =>
  unpackRows(rows, pacer, ([type = 0, kind = -1, start = 0, end = 0, score = 0]) => {
    return { type: names[type] ?? '', start, end, score, kind: names[kind] }
  })

export const packSpans = (spans: readonly OpenSpan[]): Rows => packRows(spans, 2, ({ start, end }) => [start, end])

export const unpackSpans = (rows: Rows, pacer: Pacer): Promise<OpenSpan[]> =>
  unpackRows(rows, pacer, ([start = 0, end = 0]) => ({ start, end }))
