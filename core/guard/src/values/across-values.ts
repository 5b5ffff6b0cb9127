/** What is split over values that stand beside each other. */

import { Pacer } from '@sallyport/kit/async'
import type { Finding, Inspection } from '@sallyport/core'
import { positionOf } from '@sallyport/kit/views'
import type { Reading, Span } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { guarded, readingsFor, relevant, report } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { filledBy } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { partsIn, sequenceOf } from './sequence.js'
import type { Sequence } from './sequence.js'
import { validInspection } from '../detect/validity.js'
import { sequencesOf, valuesIn } from './values.js'
import type { Value, Values } from './values.js'

/** By the position of a text, what is to be replaced in it. */
export type PlacesByText = ReadonlyMap<number, readonly Place[]>

/** One finding, in each of the values that it is split over. */
interface Split {
  readonly finding: Finding
  readonly places: readonly (Place & { readonly of: number })[]
}

/** Looks at the values of the JSON in a text. @throws content_blocked, safeguard_unavailable */
export const placesAcrossJson = async (
  check: SpanCheck,
  text: string,
  context: CheckContext,
): Promise<readonly Place[]> => {
  if (!check.detector?.inspectAcross || !/[{[]/.test(text)) return []
  const values = await guarded(check, text, context, (call) => valuesIn(text, new Pacer(call)))
  return (values && (await placesAcross(check, values, context)).get(0)) ?? []
}

/**
 * What is to be replaced in texts because their values say it together; nothing where the detector does not look for that.
 * What one of them says by itself is found elsewhere.
 * @throws content_blocked, safeguard_unavailable
 */
export const placesAcross = async (check: SpanCheck, values: Values, context: CheckContext): Promise<PlacesByText> => {
  const { policy } = check
  const pacer = new Pacer(context.call)
  const splits = new Map<string, Split>()
  let worst: Inspection | undefined
  if (check.detector?.inspectAcross)
    for (const sequence of sequencesOf(values)) {
      await pacer.pause()
      const found = await splitsIn(check, sequence, context)
      for (const split of found.splits) splits.set(nameOf(split), split)
      if (found.splits.length) worst = worseOf(worst, found.inspection)
    }
  if (!worst) return new Map()
  const found = Array.from(splits.values(), ({ finding }) => finding)
  report(withoutSource(context), check, policy.action, worst, found)
  if (policy.mode === 'shadow') return new Map()
  if (policy.action === 'block') throw blocked(check)
  return byText([...splits.values()])
}

const worseOf = (one: Inspection | undefined, other: Inspection | undefined): Inspection | undefined =>
  one && other && one.score >= other.score ? one : (other ?? one)

/** Spans of joined values are none of what the caller sent. */
const withoutSource = (context: CheckContext): CheckContext => {
  const unplaced = { ...context }
  Reflect.deleteProperty(unplaced, 'source')
  return unplaced
}

const nameOf = ({ places }: Split): string => places.map(({ of, start, end }) => `${of} ${start} ${end}`).join()

const byText = (splits: readonly Split[]): PlacesByText => {
  const places = new Map<number, Place[]>()
  for (const { of, ...place } of splits.flatMap((split) => split.places)) {
    const known = places.get(of)
    if (known) known.push(place)
    else places.set(of, [place])
  }
  return places
}

/** In every reading of the values joined. */
const splitsIn = async (check: SpanCheck, values: readonly Value[], context: CheckContext) => {
  const sequence = sequenceOf(
    values.map(({ text }) => text),
    [],
    '',
  )
  const splits: Split[] = []
  let inspection: Inspection | undefined
  for (const reading of await readingsFor(check, sequence.whole, context)) {
    const inspected = await inspectAcross(check, namedIn(reading, sequence, values), reading.text, context)
    const found = inspected ? relevant(check, inspected) : []
    if (found.length) inspection = worseOf(inspection, inspected)
    for (const finding of found) splits.push(splitAt(finding, reading.sourceOf(finding), sequence, values))
  }
  return { splits: splits.filter(({ places }) => places.length > 1 && places.every(({ of }) => of >= 0)), inspection }
}

/** The values as they stand in a reading of all of them. */
const namedIn = (reading: Reading, { texts, ends, whole }: Sequence, values: readonly Value[]) => {
  if (reading.text === whole) return texts.map((text, at) => ({ text, name: values[at]?.name ?? '' }))
  let start = 0
  return ends.map((end, at) => {
    const to = positionOf(reading, end)
    const text = reading.text.slice(start, to)
    start = to
    return { text, name: values[at]?.name ?? '' }
  })
}

const inspectAcross = (
  check: SpanCheck,
  values: readonly { text: string; name: string }[],
  whole: string,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  guarded(check, whole, context, async (call) => {
    const { ignore, options } = check.policy
    const asked = { values, ...(ignore ? { ignore } : {}), ...(options ? { options } : {}) }
    const found = await check.detector?.inspectAcross?.(asked, call)
    return found && validInspection(found, whole)
  })

const splitAt = (finding: Finding, span: Span, sequence: Sequence, values: readonly Value[]): Split => ({
  finding,
  places: partsIn(sequence, span).flatMap(({ at, ...chunk }) => {
    const value = values[at]
    if (!value) return []
    const { of, depth, text, spanOf } = value
    return [{ of, depth, ...spanOf(chunk), ...filledBy(finding, text.slice(chunk.start, chunk.end)) }]
  }),
})
