/** What is split over the texts of one answer: its reasoning, what it says, its calls of tools. */

import { Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { SpanCheck } from '../policy/active-check.js'
import type { CheckContext } from '../detect/checks.js'
import type { Place } from '../detect/places.js'
import { placesAcross } from '../values/across-values.js'
import { edgesOf, movedBy } from '../values/values.js'
import type { Value, Values } from '../values/values.js'
import type { PlacesByCheck } from './segment-checks.js'
import type { Segment } from './segmenter.js'

/** A text, or a part of one, of which something has not been checked. */
export interface UncheckedPart extends Span {
  /** The segments of the text that are held. */
  readonly segments: readonly Segment[]
}

/** What is to be replaced in segments because texts beside theirs say the rest. */
type PlacesBySegment = ReadonlyMap<Segment, PlacesByCheck>

/**
 * @param texts one after the other, with all segments that are held
 * @param stretches of them as they came, where some came in between others
 * @throws content_blocked, safeguard_unavailable
 */
export type AcrossTexts = (
  texts: readonly UncheckedPart[],
  stretches: readonly UncheckedPart[],
) => Promise<PlacesBySegment>

/** Undefined where no detector reads values together. */
export const acrossTextsOf = (checks: readonly SpanCheck[], context: CheckContext): AcrossTexts | undefined => {
  const reading = checks.filter(({ detector }) => detector?.inspectAcross !== undefined)
  if (!reading.length) return undefined
  return async (texts, stretches) => {
    const pacer = new Pacer(context.call)
    const segments = texts.flatMap((text) => text.segments)
    const positions = new Map(segments.map((segment, at) => [segment, at]))
    const values: (Value | undefined)[] = []
    for (const part of texts) append(values, await valuesOf(part, positions, pacer))
    values.push(undefined)
    for (const part of stretches) append(values, await valuesOf(part, positions, pacer))
    const found = new Map<Segment, Map<SpanCheck, readonly Place[]>>()
    for (const check of reading)
      for (const [at, places] of await placesAcross(check, values, context)) {
        const segment = segments[at] as Segment
        found.set(segment, (found.get(segment) ?? new Map<SpanCheck, readonly Place[]>()).set(check, places))
      }
    return found
  }
}

/** What has left, or is complete, parts what stands beside it. */
const valuesOf = async (
  { segments, start, end }: UncheckedPart,
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
    const [offset, of] = [from - segment.start, positions.get(segment) ?? 0]
    const text = segment.text.slice(offset, to - segment.start)
    for (const value of await edgesOf({ text, name: '', column: '' }, of, pacer))
      values.push(value && movedBy(offset, value))
  }
  if (to < end) values.push(undefined)
  await pacer.pause()
  return values
}
