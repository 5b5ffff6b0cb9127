/** Finds spans in all readings of a text, and blocks or replaces them. */

import { mapBounded, mapInTurns, Pacer, Slots } from '@sallyport/kit/async'
import type { Inspection } from '@sallyport/core'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { budgetFor, inspect, readingsFor, relevantFindings, reportVerdict } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { wholeContent, findingInText, placeOf, withoutOverlaps } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { replaceAll } from './replace-places.js'
import { spanSeveralTurns, partsIn } from '../values/sequence.js'
import type { Sequence } from '../values/sequence.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { placesAcrossJson } from '../values/across-values.js'

interface Found {
  readonly places: readonly Place[]
  /** The inspection with the highest score; undefined where the detector failed in all readings. */
  readonly worst: Inspection | undefined
}

/**
 * In UTF-16 units. Replacing a list of names or numbers takes a hundred times its length in memory, so of texts longer than
 * this, one is checked at a time for each tenant, and two in the process.
 */
const longText = 131_072
const longTexts = new Slots(2, Infinity, { perTenant: 1 })

/** The context with one budget for the text: its inspections in all readings, and its replacements. */
const withTextBudget = (check: SpanCheck, text: string, context: CheckContext): CheckContext => ({
  ...context,
  budget: budgetFor(check, text, context),
})

/**
 * Blocks, or returns the text with findings replaced. JSON stays JSON, or is blocked.
 * @param before the text before it, as context
 * @param across further places to replace, whose findings continue in other texts
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpans = (
  check: SpanCheck,
  text: string,
  context: CheckContext,
  before = '',
  across: readonly Place[] = [],
): Promise<string> => {
  const run = () => blockOrReplace(check, text, context, before, across)
  return text.length > longText ? longTexts.run(context.call, run) : run()
}

const blockOrReplace = async (
  check: SpanCheck,
  text: string,
  unlimited: CheckContext,
  before: string,
  across: readonly Place[],
): Promise<string> => {
  const { policy } = check
  const context = withTextBudget(check, text, unlimited)
  const { places, worst } = await findPlaces(check, text, context, before)
  const found = await mapInTurns(places, new Pacer(context.call), findingInText)
  if (worst) reportVerdict(context, check, found.length ? policy.action : 'pass', worst, found)
  if (places.length && policy.mode !== 'shadow' && policy.action === 'block') throw blocked(check)
  const split = [...across, ...(await placesAcrossJson(check, text, context))]
  if (policy.mode === 'shadow' || !(places.length || split.length)) return text
  const all = split.length ? withoutOverlaps(text, [...places, ...split]) : places
  return replaceAll(text, all, { check, context })
}

/**
 * Blocks or replaces findings that span several turns of a sequence; in each text its part of a finding is replaced.
 * Findings within one turn were found before.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpansAcross = async (
  check: SpanCheck,
  sequence: Sequence,
  unlimited: CheckContext,
): Promise<readonly string[]> => {
  const { policy } = check
  const { texts, whole } = sequence
  const context = withTextBudget(check, whole, unlimited)
  const { places, worst } = await findPlaces(check, whole, context)
  const placesByText: Place[][] = texts.map(() => [])
  const found = places.filter((place) => {
    const parts = partsIn(sequence, place)
    if (!spanSeveralTurns(sequence, parts)) return false
    for (const { textIndex, start, end } of parts) {
      const content = texts[textIndex]?.slice(start, end) ?? ''
      placesByText[textIndex]?.push({ start, end, depth: 0, ...wholeContent(place.finding, content) })
    }
    return true
  })
  if (!worst || !found.length) return texts
  reportVerdict(context, check, policy.action, worst, found.map(findingInText))
  if (policy.mode === 'shadow') return texts
  if (policy.action === 'block') throw blocked(check)
  return mapBounded(texts, inspectionsAtOnce, async (text, at) =>
    placesByText[at]?.length ? replaceAll(text, placesByText[at], { check, context }) : text,
  )
}

/** The places of findings in all readings of the text. */
const findPlaces = async (check: SpanCheck, text: string, context: CheckContext, before = ''): Promise<Found> => {
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
    places.push(await mapInTurns(relevantFindings(check, inspection), pacer, (finding) => placeOf(finding, reading)))
  }
  return { places: withoutOverlaps(text, places.flat()), worst }
}
