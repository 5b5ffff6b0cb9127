/** Findings that are split over adjacent values. */

import { Pacer } from '@sallyport/kit/async'
import type { Finding, Inspection } from '@sallyport/core'
import { positionOf } from '@sallyport/kit/views'
import type { Reading, Span } from '@sallyport/kit/views'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { runWithinBudget, readingsFor, relevantFindings, reportVerdict } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { coveredContent } from '../detect/matches.js'
import type { Match } from '../detect/matches.js'
import { partsIn, joinWithSpans } from './texts-with-spans.js'
import type { TextsWithSpans } from './texts-with-spans.js'
import { validInspection } from '../detect/validity.js'
import { adjacentGroups, valuesIn } from './values.js'
import type { Value, Values } from './values.js'

/** The matches to replace in each text, by the text's position. */
export type MatchesByText = ReadonlyMap<number, readonly Match[]>

/** One finding, with a match in each of the values that it is split over. */
interface SplitFinding {
  readonly finding: Finding
  readonly matches: readonly (Match & { readonly textIndex: number })[]
}

/** Finds what is split over the values of the JSON in a text. @throws content_blocked, safeguard_unavailable */
export const findMatchesAcrossJson = async (
  check: SpanCheck,
  text: string,
  context: CheckContext,
): Promise<readonly Match[]> => {
  if (!check.detector?.inspectAcross || !/[{[]/.test(text)) return []
  const values = await runWithinBudget(check, text, context, (call) => valuesIn(text, new Pacer(call)))
  return (values && (await findMatchesAcross(check, values, context)).get(0)) ?? []
}

/**
 * The matches to replace in texts because adjacent values contain a finding together. Findings within one value are
 * found elsewhere.
 * @param check one whose detector has `inspectAcross`
 * @throws content_blocked, safeguard_unavailable
 */
export const findMatchesAcross = async (
  check: SpanCheck,
  values: Values,
  context: CheckContext,
): Promise<MatchesByText> => {
  const { entry } = check
  const pacer = new Pacer(context.call)
  const splits = new Map<string, SplitFinding>()
  let worst: Inspection | undefined
  for (const group of adjacentGroups(values)) {
    await pacer.pause()
    const found = await splitsIn(check, group, context)
    for (const split of found.splits) splits.set(splitKey(split), split)
    if (found.splits.length) worst = higherScore(worst, found.inspection)
  }
  if (!worst) return new Map()
  const found = Array.from(splits.values(), ({ finding }) => finding)
  reportVerdict(withoutDescription(context), check, entry.action, worst, found)
  if (entry.mode === 'shadow') return new Map()
  if (entry.action === 'block') throw blocked(check)
  return byText([...splits.values()])
}

const higherScore = (one: Inspection | undefined, other: Inspection | undefined): Inspection | undefined =>
  one && other && one.score >= other.score ? one : (other ?? one)

/** The context without a description: spans of joined values are not spans of a text that the caller sent. */
const withoutDescription = ({ description, ...context }: CheckContext): CheckContext => context

const splitKey = ({ matches }: SplitFinding): string =>
  matches.map(({ textIndex, start, end }) => `${textIndex} ${start} ${end}`).join()

const byText = (splits: readonly SplitFinding[]): MatchesByText => {
  const matches = new Map<number, Match[]>()
  for (const { textIndex, ...match } of splits.flatMap((split) => split.matches)) {
    const known = matches.get(textIndex)
    if (known) known.push(match)
    else matches.set(textIndex, [match])
  }
  return matches
}

/** The split findings in every reading of the joined values. */
const splitsIn = async (check: SpanCheck, values: readonly Value[], context: CheckContext) => {
  const whole = joinWithSpans(
    values.map(({ text }) => text),
    [],
    '',
  )
  const splits: SplitFinding[] = []
  let inspection: Inspection | undefined
  for (const reading of await readingsFor(check, whole.joined, context)) {
    const inspected = await inspectAcross(check, valuesInReading(reading, whole, values), reading.text, context)
    const found = inspected ? relevantFindings(check, inspected) : []
    if (found.length) inspection = higherScore(inspection, inspected)
    for (const finding of found) splits.push(splitFindingOf(finding, reading.sourceOf(finding), whole, values))
  }
  return {
    splits: splits.filter(({ matches }) => matches.length > 1 && matches.every((match) => match.textIndex >= 0)),
    inspection,
  }
}

/** Each value as it is in a reading of the joined values. */
const valuesInReading = (reading: Reading, { texts, ends, joined }: TextsWithSpans, values: readonly Value[]) => {
  if (reading.text === joined) return texts.map((text, at) => ({ text, name: values[at]?.name ?? '' }))
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
  joined: string,
  context: CheckContext,
): Promise<Inspection | undefined> =>
  runWithinBudget(check, joined, context, async (call) => {
    const { ignore, options } = check.entry
    const request = { values, ...(ignore ? { ignore } : {}), ...(options ? { options } : {}) }
    const found = await check.detector?.inspectAcross?.(request, call)
    return found && validInspection(found, joined)
  })

const splitFindingOf = (
  finding: Finding,
  span: Span,
  whole: TextsWithSpans,
  values: readonly Value[],
): SplitFinding => ({
  finding,
  matches: partsIn(whole, span).flatMap(({ textIndex: valueIndex, ...part }) => {
    const value = values[valueIndex]
    if (!value) return []
    const { textIndex, depth, text, spanOf } = value
    return [{ textIndex, depth, ...spanOf(part), ...coveredContent(finding, text.slice(part.start, part.end)) }]
  }),
})
