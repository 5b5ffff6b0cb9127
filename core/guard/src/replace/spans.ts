/** Finds spans in all readings of a text, and blocks or replaces them. */

import { mapBounded, mapInTurns, Pacer, runPaced, Slots } from '@sallyport/kit/async'
import type { Inspection } from '@sallyport/core'
import type { Reading, Span } from '@sallyport/kit/views'
import { blocked, restores } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { budgetFor, inspect, readingsFor, relevantFindings, reportVerdict } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { coveredContent, findingInText, matchOf, withoutOverlaps } from '../detect/matches.js'
import type { Match } from '../detect/matches.js'
import { safeTypeName } from '../detect/findings.js'
import { replaceMatches } from './replace-matches.js'
import { isDistinctive, lacksCapital } from './substitutes.js'
import { areInSeveralTurns, partsIn } from '../values/texts-with-spans.js'
import type { TextsWithSpans } from '../values/texts-with-spans.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { findMatchesAcrossJson } from '../values/across-values.js'

interface Found {
  readonly matches: readonly Match[]
  /** The inspection with the highest score; undefined where the detector failed in all readings. */
  readonly worst: Inspection | undefined
}

/**
 * In UTF-16 code units. Replacing a list of names or numbers takes a hundred times its length in memory, so of texts
 * longer than this, one is checked at a time for each tenant, and two in the process.
 */
const minLongText = 131_072
const longTextSlots = new Slots(2, Infinity, { perTenant: 1 })

/** The context with one budget for the text: its inspections in all readings, and its replacements. */
const withTextBudget = (check: SpanCheck, text: string, context: CheckContext): CheckContext => ({
  ...context,
  budget: budgetFor(check, text, context),
})

/**
 * Blocks, or returns the text with findings replaced. JSON stays JSON, or is blocked.
 * @param before the text before it, as context
 * @param matchesAcross further matches to replace, whose findings continue in other texts
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpans = (
  check: SpanCheck,
  text: string,
  context: CheckContext,
  before = '',
  matchesAcross: readonly Match[] = [],
): Promise<string> => {
  const run = () => blockOrReplace(check, text, context, before, matchesAcross)
  return text.length > minLongText ? longTextSlots.run(context.call, run) : run()
}

const blockOrReplace = async (
  check: SpanCheck,
  text: string,
  outerContext: CheckContext,
  before: string,
  matchesAcross: readonly Match[],
): Promise<string> => {
  const { entry } = check
  const context = withTextBudget(check, text, outerContext)
  const { matches, worst } = await findMatches(check, text, context, before)
  const found = await mapInTurns(matches, new Pacer(context.call), findingInText)
  if (worst) reportVerdict(context, check, found.length ? entry.action : 'pass', worst, found)
  if (matches.length && entry.mode !== 'shadow' && entry.action === 'block') throw blocked(check)
  const split = [...matchesAcross, ...(await findMatchesAcrossJson(check, text, context))]
  if (entry.mode === 'shadow' || !(matches.length || split.length)) return text
  const all = split.length ? withoutOverlaps(text, [...matches, ...split]) : matches
  return replaceMatches(text, all, { check, context })
}

/**
 * Blocks or replaces findings that span several turns; in each text its part of a finding is replaced.
 * Findings within one turn were found before.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkSpansAcross = async (
  check: SpanCheck,
  whole: TextsWithSpans,
  outerContext: CheckContext,
): Promise<readonly string[]> => {
  const context = withTextBudget(check, whole.joined, outerContext)
  const matches = await enforcedMatchesAcross(check, whole, context)
  const matchesByText: Match[][] = whole.texts.map(() => [])
  for (const match of matches)
    for (const { textIndex, start, end } of partsIn(whole, match)) {
      const content = whole.texts[textIndex]?.slice(start, end) ?? ''
      matchesByText[textIndex]?.push({ start, end, depth: 0, ...coveredContent(match.finding, content) })
    }
  return mapBounded(whole.texts, inspectionsAtOnce, async (text, at) =>
    matchesByText[at]?.length ? replaceMatches(text, matchesByText[at], { check, context }) : text,
  )
}

/**
 * Blocks, or returns the joined texts with findings that span several of them replaced as one.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkJoined = async (
  check: SpanCheck,
  whole: TextsWithSpans,
  outerContext: CheckContext,
): Promise<string> => {
  const context = withTextBudget(check, whole.joined, outerContext)
  const matches = await enforcedMatchesAcross(check, whole, context)
  const split = await findMatchesAcrossJson(check, whole.joined, context)
  if (check.entry.mode === 'shadow' || !(matches.length || split.length)) return whole.joined
  return replaceMatches(whole.joined, withoutOverlaps(whole.joined, [...matches, ...split]), { check, context })
}

/** The matches over several turns that are to be replaced. @throws content_blocked, safeguard_unavailable */
const enforcedMatchesAcross = async (
  check: SpanCheck,
  whole: TextsWithSpans,
  context: CheckContext,
): Promise<readonly Match[]> => {
  const { entry } = check
  const { matches, worst } = await findMatches(check, whole.joined, context)
  const across = matches.filter((match) => areInSeveralTurns(whole, partsIn(whole, match)))
  const found = across.length ? await withoutExtended(check, across, whole, context) : []
  if (!worst || !found.length) return []
  reportVerdict(context, check, entry.action, worst, found.map(findingInText))
  if (entry.mode === 'shadow') return []
  if (entry.action === 'block') throw blocked(check)
  return found
}

/**
 * Without matches that only extend a match within one text into its neighbour, such as an address, or what replaced one,
 * by the first word of the next turn.
 */
const withoutExtended = async (
  check: SpanCheck,
  across: readonly Match[],
  whole: TextsWithSpans,
  context: CheckContext,
): Promise<readonly Match[]> => {
  const partsOf = new Map(across.map((match) => [match, partsIn(whole, match)]))
  const indices = new Set([...partsOf.values()].flatMap((parts) => parts.map(({ textIndex }) => textIndex)))
  const alone = new Map<number, readonly Match[]>()
  // Without a vault, substitutes are found, too.
  const { vault, ...bare } = context
  for (const at of indices) alone.set(at, (await findMatches(check, whole.texts[at] ?? '', bare)).matches)
  const extendsOne = ({ finding }: Match, { textIndex, start, end }: Span & { readonly textIndex: number }) =>
    alone.get(textIndex)?.some((one) => one.finding.type === finding.type && one.start < end && start < one.end)
  return across.filter((match) => !partsOf.get(match)?.some((part) => extendsOne(match, part)))
}

/** The matches in all readings of the text. */
const findMatches = async (check: SpanCheck, text: string, context: CheckContext, before = ''): Promise<Found> => {
  const pacer = new Pacer(context.call)
  const matches: Match[][] = []
  let worst: Inspection | undefined
  const readings = await readingsFor(check, text, context, before)
  for (const reading of readings) {
    const request = {
      text: reading.text,
      ...(check.entry.ignore ? { ignore: check.entry.ignore } : {}),
      ...(before ? { before: reading.before } : {}),
      ...(context.description?.isProgramName ? { isProgramName: true } : {}),
    }
    const inspection = await inspect(check, request, context)
    if (!inspection) continue
    if (!worst || inspection.score > worst.score) worst = inspection
    const found = await mapInTurns(relevantFindings(check, inspection), pacer, (finding) => matchOf(finding, reading))
    // Substitutes that will be restored are nobody's, also where a model repeats them.
    matches.push(context.vault ? found.filter(({ content }) => !context.vault?.bySubstitute(content)) : found)
  }
  if (restores(check)) matches.push(await knownMatches(readings, matches.flat(), context, pacer))
  return { matches: withoutOverlaps(text, matches.flat()), worst }
}

/**
 * Where else the readings say what was found in them or replaced before: detectors that need context find a name only
 * there, and answers, in which originals were put back, become requests again.
 */
const knownMatches = async (
  readings: readonly Reading[],
  matches: readonly Match[],
  { vault, turn, description }: CheckContext,
  pacer: Pacer,
): Promise<Match[]> => {
  if (!vault || description?.isProgramName) return []
  await turn
  for (const { content, finding } of matches)
    vault.expect({ type: safeTypeName(finding.type), original: content.slice(finding.start, finding.end) })
  const known: Match[] = []
  for (const reading of readings)
    for (const { type, start, end, original } of await runPaced(vault.originalsIn(reading.text), pacer))
      if (isMeant(reading.text.slice(start, end), original))
        known.push(matchOf({ type, start, end, score: 1 }, reading))
  return known
}

/** The longest word in lower case, in UTF-16 code units, that is taken for a word although it was also a name. */
const maxWord = 4

/** Whether a text that equals an original, but for its case, says the same, rather than a short or common word. */
const isMeant = (text: string, original: string): boolean =>
  isDistinctive(text) && !lacksCapital(text, original) && !(text.length <= maxWord && /^\p{Ll}+$/u.test(text))
