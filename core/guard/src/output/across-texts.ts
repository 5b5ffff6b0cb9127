/** Finds what is split over the texts of one answer: its reasoning, its content and its tool calls. */

import { Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import type { Match } from '../detect/matches.js'
import { findMatchesAcross } from '../values/across-values.js'
import { edgeValues, shiftedBy } from '../values/values.js'
import type { Value, Values } from '../values/values.js'
import type { MatchesByCheck } from './segment-checks.js'
import type { Segment } from './segmenter.js'

/** A text, or a part of one, with those of its segments that are held until the end. */
interface PartWithHeldSegments extends Span {
  readonly segments: readonly Segment[]
}

/** The matches to replace in segments because neighbouring texts contain the rest of a finding. */
type MatchesBySegment = ReadonlyMap<Segment, MatchesByCheck>

/**
 * @param texts in their order, with all held segments
 * @param runs the parts of these texts in order of arrival, where texts were interleaved
 * @throws content_blocked, safeguard_unavailable
 */
export type SearchAcrossTexts = (
  texts: readonly PartWithHeldSegments[],
  runs: readonly PartWithHeldSegments[],
) => Promise<MatchesBySegment>

/** Undefined where no detector has `inspectAcross`. */
export const searchAcrossTexts = (
  checks: readonly SpanCheck[],
  context: CheckContext,
): SearchAcrossTexts | undefined => {
  const checksAcross = checks.filter(({ detector }) => detector?.inspectAcross !== undefined)
  if (!checksAcross.length) return undefined
  return async (texts, runs) => {
    const pacer = new Pacer(context.call)
    const segments = texts.flatMap((text) => text.segments)
    const positions = new Map(segments.map((segment, at) => [segment, at]))
    const values: (Value | undefined)[] = []
    for (const part of texts) append(values, await valuesOf(part, positions, pacer))
    values.push(undefined)
    for (const part of runs) append(values, await valuesOf(part, positions, pacer))
    const found = new Map<Segment, Map<SpanCheck, readonly Match[]>>()
    for (const check of checksAcross)
      for (const [at, matches] of await findMatchesAcross(check, values, context)) {
        const segment = segments[at] as Segment
        found.set(segment, (found.get(segment) ?? new Map<SpanCheck, readonly Match[]>()).set(check, matches))
      }
    return found
  }
}

/** The values of the held segments, with an undefined entry between segments and for text released or checked already. */
const valuesOf = async (
  { segments, start, end }: PartWithHeldSegments,
  positions: ReadonlyMap<Segment, number>,
  pacer: Pacer,
): Promise<Values> => {
  const values: (Value | undefined)[] = []
  let to = start
  for (const segment of segments) {
    const from = Math.max(start, segment.start)
    if (from >= Math.min(end, segment.end)) continue
    if (from > start) values.push(undefined)
    to = Math.min(end, segment.end)
    const [offset, textIndex] = [from - segment.start, positions.get(segment) ?? 0]
    const text = segment.text.slice(offset, to - segment.start)
    for (const value of await edgeValues({ text, name: '', column: '' }, textIndex, pacer))
      values.push(value && shiftedBy(offset, value))
  }
  if (to < end) values.push(undefined)
  await pacer.pause()
  return values
}
