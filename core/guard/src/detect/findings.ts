/** Describes findings for verdicts: counts by type, and positions. The text itself is never shown. */

import type { Finding, LocatedFinding, Verdict } from '@sallyport/core'
import { codePointOffsets } from '@sallyport/kit/text'
import type { Reading } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'

/** Describes an inspected text of a request. */
export interface TextDescription {
  readonly text: string
  /** The field that holds the text. Absent or undefined for joined texts, and for paths that may quote the caller. */
  readonly field?: () => string | undefined
  /**
   * The ends of the texts that it was joined from, ascending. Findings inside one of them are counted there, since each
   * is also inspected by itself.
   */
  readonly partEnds?: readonly number[]
  /** Whether it is one word that names something for programs: a tool, a property, an enumerated value. */
  readonly isProgramName?: boolean
  /** Whether the same text comes with many requests, so that its inspections are cached. */
  readonly isRecurring?: boolean
}

type FoundSpan = Pick<Finding, 'type' | 'start' | 'end' | 'score'>

/** Maximum number of spans in a verdict, so that callers cannot make receipts large. Counts stay complete. */
const maxReportedSpans = 32

/** Types come from detectors. A type that does not look like a name might quote the text, and is not shown. */
const typeName = /^[\w./-]{1,64}$/

export const safeTypeName = (type: string): string => (typeName.test(type) ? type : 'other')

/** @param description absent for output, whose positions are not reported */
export const describeFindings = (
  found: readonly FoundSpan[],
  description?: TextDescription,
): Pick<Verdict, 'findings' | 'spans'> => {
  const counted = description?.partEnds ? found.filter(crossesOneOf(description.partEnds)) : found
  if (!counted.length) return {}
  const findings = countsOf(counted)
  const field = description?.field?.()
  return description === undefined || field === undefined
    ? { findings }
    : { findings, spans: locate(field, description.text, counted) }
}

const countsOf = (found: readonly FoundSpan[]): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const { type } of found) counts.set(safeTypeName(type), (counts.get(safeTypeName(type)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

const crossesOneOf =
  (cuts: readonly number[]) =>
  ({ start, end }: FoundSpan): boolean =>
    (cuts[countUpTo(cuts, start)] ?? Infinity) < end

const locate = (field: string, text: string, found: readonly FoundSpan[]): LocatedFinding[] => {
  const shown = found.slice(0, maxReportedSpans)
  const offsets = codePointOffsets(
    text,
    shown.flatMap(({ start, end }) => [start, end]),
  )
  return shown.map(({ type, start, end, score }) => ({
    field,
    type: safeTypeName(type),
    start: offsets.get(start) ?? start,
    end: offsets.get(end) ?? end,
    score,
  }))
}

/**
 * The findings of a reading as spans of the original text. Findings in which no escape was undone are left out, because
 * they were also found in the original text.
 */
export const asOriginalSpans = ({ isOriginal, sourceOf }: Reading, findings: readonly Finding[]): FoundSpan[] =>
  findings.flatMap(({ type, start, end, score }) => {
    const span = sourceOf({ start, end })
    const isFoundThere = !isOriginal && span.end - span.start === end - start
    return isFoundThere ? [] : [{ type, score, ...span }]
  })
