/** Finds spans in a text, however they are written there, and replaces them. */

import { mapBounded, mapInTurns, Pacer, Slots } from '@sallyport/kit/async'
import type { Inspection } from '@sallyport/core'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { budgetFor, inspect, readingsFor, relevant, report } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { filledBy, foundIn, placeOf, withoutOverlaps } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { replaceAll } from './replace-places.js'
import { areApart, partsIn } from '../values/sequence.js'
import type { Sequence } from '../values/sequence.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { placesAcrossJson } from '../values/across-values.js'

interface Found {
  readonly places: readonly Place[]
  /** The one of the highest score; undefined where the check ran in no reading. */
  readonly worst: Inspection | undefined
}

/**
 * A list of names or numbers takes a hundred times its length in memory while it is replaced. So of texts with more
 * UTF-16 units than this, each tenant has one looked at at a time, and the process two.
 */
const longText = 131_072
const longTexts = new Slots(2, Infinity, { perTenant: 1 })

/** The budget is that of the text, in all its readings and with all that is replaced in it. */
const withBudget = (check: SpanCheck, text: string, context: CheckContext): CheckContext => ({
  ...context,
  budget: budgetFor(check, text, context),
})

/**
 * Blocks or replaces; returns the text that may go on. What is JSON stays JSON, or is blocked.
 * @param before what stands before the text, as context
 * @param across what is to be replaced because other texts say the rest of it
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpans = (
  check: SpanCheck,
  text: string,
  context: CheckContext,
  before = '',
  across: readonly Place[] = [],
): Promise<string> => {
  const run = () => checkOne(check, text, context, before, across)
  return text.length > longText ? longTexts.run(context.call, run) : run()
}

const checkOne = async (
  check: SpanCheck,
  text: string,
  unlimited: CheckContext,
  before: string,
  across: readonly Place[],
): Promise<string> => {
  const { policy } = check
  const context = withBudget(check, text, unlimited)
  const { places, worst } = await find(check, text, context, before)
  const found = await mapInTurns(places, new Pacer(context.call), foundIn)
  if (worst) report(context, check, found.length ? policy.action : 'pass', worst, found)
  if (places.length && policy.mode !== 'shadow' && policy.action === 'block') throw blocked(check)
  const split = [...across, ...(await placesAcrossJson(check, text, context))]
  if (policy.mode === 'shadow' || !(places.length || split.length)) return text
  const all = split.length ? withoutOverlaps(text, [...places, ...split]) : places
  return replaceAll(text, all, { check, context })
}

/**
 * What becomes of texts that are read one after the other, for what stands across them: each keeps its place, and what
 * is replaced in it is its part of what was found. What stands in one of them alone has been looked at before.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpansAcross = async (
  check: SpanCheck,
  sequence: Sequence,
  unlimited: CheckContext,
): Promise<readonly string[]> => {
  const { policy } = check
  const { texts, whole } = sequence
  const context = withBudget(check, whole, unlimited)
  const { places, worst } = await find(check, whole, context)
  const chunks: Place[][] = texts.map(() => [])
  const found = places.filter((place) => {
    const cut = partsIn(sequence, place)
    if (!areApart(sequence, cut)) return false
    for (const { at, start, end } of cut) {
      const content = texts[at]?.slice(start, end) ?? ''
      chunks[at]?.push({ start, end, depth: 0, ...filledBy(place.finding, content) })
    }
    return true
  })
  if (!worst || !found.length) return texts
  report(context, check, policy.action, worst, found.map(foundIn))
  if (policy.mode === 'shadow') return texts
  if (policy.action === 'block') throw blocked(check)
  return mapBounded(texts, inspectionsAtOnce, async (text, at) =>
    chunks[at]?.length ? replaceAll(text, chunks[at], { check, context }) : text,
  )
}

/** In every reading of the text. */
const find = async (check: SpanCheck, text: string, context: CheckContext, before = ''): Promise<Found> => {
  const pacer = new Pacer(context.call)
  const places: Place[][] = []
  let worst: Inspection | undefined
  for (const reading of await readingsFor(check, text, context, before)) {
    const request = {
      text: reading.text,
      ...(check.policy.ignore ? { ignore: check.policy.ignore } : {}),
      ...(before ? { before: reading.before } : {}),
      ...(context.source?.word ? { word: true } : {}),
    }
    const inspection = await inspect(check, request, context)
    if (!inspection) continue
    if (!worst || inspection.score > worst.score) worst = inspection
    places.push(await mapInTurns(relevant(check, inspection), pacer, (finding) => placeOf(finding, reading)))
  }
  return { places: withoutOverlaps(text, places.flat()), worst }
}
