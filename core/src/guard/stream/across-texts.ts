/** Personal information that is split over the texts of one answer: its reasoning, what it says, its calls of tools. */

import { Pacer } from '../../async/pacer.js'
import type { CheckContext } from '../checks.js'
import type { Place } from '../places.js'
import type { PiiPolicy } from '../policy.js'
import { placesAcross } from '../values/across-values.js'
import { edgesOf } from '../values/values.js'
import type { Value, Values } from '../values/values.js'
import type { Segment } from './segmenter.js'

/** A text of which something has not been checked. */
export interface HeldText {
  /** The first, where another text before it may go on in it, and the last. */
  readonly segments: readonly Segment[]
  readonly length: number
}

/** What is to be replaced in segments because texts beside theirs say the rest. */
type PlacesBySegment = ReadonlyMap<Segment, readonly Place[]>

/** @throws content_blocked, safeguard_unavailable */
export type AcrossTexts = (texts: readonly HeldText[]) => Promise<PlacesBySegment>

/** Undefined where nothing is looked for, or the detector does not read values together. */
export const acrossTextsOf = (policy: PiiPolicy | undefined, context: CheckContext): AcrossTexts | undefined => {
  if (!policy || !context.detectors.pii?.inspectAcross) return undefined
  return async (texts) => {
    const segments = texts.flatMap((text) => text.segments)
    const found = await placesAcross(policy, await valuesOf(texts, new Pacer(context.call)), context)
    return new Map(Array.from(found, ([at, places]) => [segments[at] as Segment, places]))
  }
}

/** What has left, or is complete, parts what stands beside it. */
const valuesOf = async (texts: readonly HeldText[], pacer: Pacer): Promise<Values> => {
  const values: (Value | undefined)[] = []
  let [of, end] = [0, 0]
  for (const { segments, length } of texts) {
    end = 0
    for (const segment of segments) {
      if (segment.start > 0) values.push(undefined)
      for (const value of await edgesOf({ text: segment.text, name: '', column: '' }, of, pacer)) values.push(value)
      of += 1
      ;({ end } = segment)
    }
    if (end < length) values.push(undefined)
  }
  return values
}
