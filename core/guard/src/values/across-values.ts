/** Findings that are split over adjacent values. */

import { Pacer } from '@sallyport/kit/async'
import type { Finding, Inspection } from '@sallyport/core'
import { positionOf } from '@sallyport/kit/views'
import type { Reading, Span } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { runDetector, readingsFor, relevantFindings, reportVerdict } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { wholeContent } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { partsIn, sequenceOf } from './sequence.js'
import type { Sequence } from './sequence.js'
import { validInspection } from '../detect/validity.js'
import { sequencesOf, valuesIn } from './values.js'
import type { Value, Values } from './values.js'

/** The places to replace in each text, by the text's position. */
export type PlacesByText = ReadonlyMap<number, readonly Place[]>

/** One finding, with its place in each of the values that it is split over. */
interface SplitFinding {
  readonly finding: Finding
  readonly places: readonly (Place & { readonly textIndex: number })[]
}

/** Finds what is split over the values of the JSON in a text. @throws content_blocked, safeguard_unavailable */
export const placesAcrossJson = async (
  check: SpanCheck,
  text: string,
  context: CheckContext,
): Promise<readonly Place[]> => {
  if (!check.detector?.inspectAcross || !/[{[]/.test(text)) return []
  const values = await runDetector(check, text, context, (call) => valuesIn(text, new Pacer(call)))
  return (values && (await placesAcross(check, values, context)).get(0)) ?? []
}

/**
 * The places to replace in texts because adjacent values contain a finding together. They are empty where the detector has
 * no `inspectAcross`. Findings within one value are found elsewhere.
 * @throws content_blocked, safeguard_unavailable
 */
export const placesAcross = async (check: SpanCheck, values: Values, context: CheckContext): Promise<PlacesByText> => {
  const { policy } = check
  const pacer = new Pacer(context.call)
  const splits = new Map<string, SplitFinding>()
  let worst: Inspection | undefined
  if (check.detector?.inspectAcross)
    for (const sequence of sequencesOf(values)) {
      await pacer.pause()
      const found = await splitsIn(check, sequence, context)
      for (const split of found.splits) splits.set(splitKey(split), split)
      if (found.splits.length) worst = higherScore(worst, found.inspection)
    }
  if (!worst) return new Map()
  const found = Array.from(splits.values(), ({ finding }) => finding)
  reportVerdict(withoutSource(context), check, policy.action, worst, found)
  if (policy.mode === 'shadow') return new Map()
  if (policy.action === 'block') throw blocked(check)
  return byText([...splits.values()])
}

const higherScore = (one: Inspection | undefined, other: Inspection | undefined): Inspection | undefined =>
  one && other && one.score >= other.score ? one : (other ?? one)

/** The context without a source: spans of joined values are not spans of a text that the caller sent. */
const withoutSource = (context: CheckContext): CheckContext => {
  const unplaced = { ...context }
  Reflect.deleteProperty(unplaced, 'source')
  return unplaced
}

const splitKey = ({ places }: SplitFinding): string =>
  places.map(({ textIndex, start, end }) => `${textIndex} ${start} ${end}`).join()

const byText = (splits: readonly SplitFinding[]): PlacesByText => {
  const places = new Map<number, Place[]>()
  for (const { textIndex, ...place } of splits.flatMap((split) => split.places)) {
    const known = places.get(textIndex)
    if (known) known.push(place)
    else places.set(textIndex, [place])
  }
  return places
}

/** The split findings in every reading of the joined values. */
const splitsIn = async (check: SpanCheck, values: readonly Value[], context: CheckContext) => {
  const sequence = sequenceOf(
    values.map(({ text }) => text),
    [],
    '',
  )
  const splits: SplitFinding[] = []
  let inspection: Inspection | undefined
  for (const reading of await readingsFor(check, sequence.whole, context)) {
    const inspected = await inspectAcross(check, valuesInReading(reading, sequence, values), reading.text, context)
    const found = inspected ? relevantFindings(check, inspected) : []
    if (found.length) inspection = higherScore(inspection, inspected)
    for (const finding of found) splits.push(splitAt(finding, reading.sourceOf(finding), sequence, values))
  }
  return {
    splits: splits.filter(({ places }) => places.length > 1 && places.every((place) => place.textIndex >= 0)),
    inspection,
  }
}

/** Each value as it is in a reading of the joined values. */
const valuesInReading = (reading: Reading, { texts, ends, whole }: Sequence, values: readonly Value[]) => {
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
  runDetector(check, whole, context, async (call) => {
    const { ignore, options } = check.policy
    const request = { values, ...(ignore ? { ignore } : {}), ...(options ? { options } : {}) }
    const found = await check.detector?.inspectAcross?.(request, call)
    return found && validInspection(found, whole)
  })

const splitAt = (finding: Finding, span: Span, sequence: Sequence, values: readonly Value[]): SplitFinding => ({
  finding,
  places: partsIn(sequence, span).flatMap(({ textIndex: valueIndex, ...part }) => {
    const value = values[valueIndex]
    if (!value) return []
    const { textIndex, depth, text, spanOf } = value
    return [{ textIndex, depth, ...spanOf(part), ...wholeContent(finding, text.slice(part.start, part.end)) }]
  }),
})
