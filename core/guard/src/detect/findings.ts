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
  /** Says where findings are in the document that holds the text, in place of `field`. */
  readonly locate?: (found: readonly FoundSpan[]) => readonly LocatedFinding[]
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

export type FoundSpan = Pick<Finding, 'type' | 'start' | 'end' | 'score'>

/** Maximum number of spans in a verdict, so that callers cannot make receipts large. Counts stay complete. */
export const maxReportedSpans = 32

/** Types come from detectors. A type that does not look like a name might quote the text, and is not shown. */
const typeName = /^[\w./-]{1,64}$/

export const safeTypeName = (type: string): string => (typeName.test(type) ? type : 'other')

/** @param description absent for output other than documents, whose positions are not reported */
export const describeFindings = (
  found: readonly FoundSpan[],
  description?: TextDescription,
): Pick<Verdict, 'findings' | 'spans'> => {
  const counted = description?.partEnds ? found.filter(crossesOneOf(description.partEnds)) : found
  if (!counted.length) return {}
  const findings = countsOf(counted)
  const spans = description && locatedIn(description, counted.slice(0, maxReportedSpans))?.slice(0, maxReportedSpans)
  return spans ? { findings, spans } : { findings }
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

const locatedIn = (
  { text, field, locate }: TextDescription,
  found: readonly FoundSpan[],
): readonly LocatedFinding[] | undefined => {
  if (locate) return locate(found)
  const name = field?.()
  return name === undefined ? undefined : locatedInField(name, text, found)
}

export const locatedInField = (field: string, text: string, found: readonly FoundSpan[]): LocatedFinding[] => {
  const offsets = codePointOffsets(
    text,
    found.flatMap(({ start, end }) => [start, end]),
  )
  return found.map(({ type, start, end, score }) => ({
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
