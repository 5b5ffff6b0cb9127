/** What a verdict says of findings: how many of each type, and where they stand. Never what was found. */

import type { Finding, LocatedFinding, Verdict } from '@sallyport/core'
import { codePointOffsets } from '@sallyport/kit/text'
import type { Reading } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'

/** What an inspected text is in the request. */
export interface Source {
  readonly text: string
  /** Tells the field that holds it: none for a text that is made of several, and for one whose path may quote the caller. */
  readonly field?: () => string | undefined
  /**
   * Where the texts end that it is made of, ascending. What lies inside one of them is counted there: each of them is
   * inspected by itself, too.
   */
  readonly cuts?: readonly number[]
  /** Whether it is a word of a schema: such words name nobody. */
  readonly word?: boolean
  /** Whether the same is said again and again: what is found in it is remembered. */
  readonly recurs?: boolean
}

type Found = Pick<Finding, 'type' | 'start' | 'end' | 'score'>

/** Places of a verdict, and of a receipt: an answer must not grow with what a caller can have found. Counts are complete. */
const maxPlaces = 32

/** Types come from detectors: one that does not look like a name might quote the text. */
const typeName = /^[\w./-]{1,64}$/

export const shownType = (type: string): string => (typeName.test(type) ? type : 'other')

/** @param source where the text stands; absent for what comes out */
export const describeFindings = (found: readonly Found[], source?: Source): Pick<Verdict, 'findings' | 'spans'> => {
  const counted = source?.cuts ? found.filter(crossing(source.cuts)) : found
  if (!counted.length) return {}
  const findings = countsOf(counted)
  const field = source?.field?.()
  return source === undefined || field === undefined
    ? { findings }
    : { findings, spans: placesIn(field, source.text, counted) }
}

const countsOf = (found: readonly Found[]): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const { type } of found) counts.set(shownType(type), (counts.get(shownType(type)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Both together, type by type. */
export const sumFindings = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum = new Map(Object.entries(one))
  for (const [type, count] of Object.entries(other)) sum.set(type, (sum.get(type) ?? 0) + count)
  return Object.fromEntries(sum)
}

const crossing =
  (cuts: readonly number[]) =>
  ({ start, end }: Found): boolean =>
    (cuts[countUpTo(cuts, start)] ?? Infinity) < end

const placesIn = (field: string, text: string, found: readonly Found[]): LocatedFinding[] => {
  const shown = found.slice(0, maxPlaces)
  const offsets = codePointOffsets(
    text,
    shown.flatMap(({ start, end }) => [start, end]),
  )
  return shown.map(({ type, start, end, score }) => ({
    field,
    type: shownType(type),
    start: offsets.get(start) ?? start,
    end: offsets.get(end) ?? end,
    score,
  }))
}

/**
 * What was found in a reading, as spans of the text that was read. A finding without an escape in it was found in the
 * text as it stands.
 */
export const foundInReading = ({ depth, sourceOf }: Reading, findings: readonly Finding[]): Found[] =>
  findings.flatMap(({ type, start, end, score }) => {
    const span = sourceOf({ start, end })
    const known = depth > 0 && span.end - span.start === end - start
    return known ? [] : [{ type, score, ...span }]
  })
