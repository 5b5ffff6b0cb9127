/** Finds and replaces personal information in a text, however it is written there. */

import { mapBounded } from '../async/map-bounded.js'
import type { Finding, Inspection } from '../capabilities/safeguard.js'
import { failure } from '../errors/index.js'
import { blockedBy, budgetFor, counting, guarded, inspect, readingsFor, report } from './checks.js'
import type { CheckContext } from './checks.js'
import { withDistinctKeys } from './json-keys.js'
import { behindEscape, isJson, stringsIn } from './json-text.js'
import type { PiiPolicy } from './policy.js'
import { writtenAt } from './readings.js'
import type { Reading, Span } from './readings.js'
import { areApart, piecesOf } from './sequence.js'
import type { Sequence } from './sequence.js'
import { inspectionsAtOnce, soundReplacement } from './soundness.js'
import { splice } from './splice.js'
import type { Spliced } from './splice.js'

/** A span of the text, what it says, and what was found in that. */
interface Place extends Span {
  /** Of the reading that it was found in. */
  readonly depth: number
  readonly content: string
  /** Its span is one of the content. */
  readonly finding: Finding
  /** Whether it is a whole string, and its content JSON of its own. */
  readonly nested?: boolean
}

interface Found {
  readonly places: readonly Place[]
  /** The one of the highest score; undefined where the check ran in no reading. */
  readonly gravest: Inspection | undefined
}

/** The budget is that of the text, in all its readings and with all that is replaced in it. */
const withBudget = (policy: PiiPolicy, text: string, context: CheckContext): CheckContext => ({
  ...context,
  budget: budgetFor('pii', policy, text, context),
})

/**
 * Blocks or replaces; returns the text that may go on. What is JSON stays JSON, or is blocked.
 * @param before what stands before the text, as context
 * @throws content_blocked, safeguard_unavailable
 */
export const checkPii = async (
  policy: PiiPolicy,
  text: string,
  unlimited: CheckContext,
  before = '',
): Promise<string> => {
  const context = withBudget(policy, text, unlimited)
  const { places, gravest } = await find(policy, text, context, before)
  const found = places.map(({ finding, start, end }) => ({ ...finding, start, end }))
  if (gravest) report(context, 'pii', policy, found.length ? policy.action : 'pass', gravest, found)
  if (!places.length || policy.mode === 'shadow') return text
  if (policy.action === 'block') throw blocked()
  return replaceAll(text, places, { policy, context })
}

/**
 * What becomes of texts that are read one after the other, for what stands across them: each keeps its place, and what
 * is replaced in it is its part of what was found. What stands in one of them alone has been looked at before.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkPiiAcross = async (
  policy: PiiPolicy,
  sequence: Sequence,
  unlimited: CheckContext,
): Promise<readonly string[]> => {
  const { texts, whole } = sequence
  const context = withBudget(policy, whole, unlimited)
  const { places, gravest } = await find(policy, whole, context)
  const pieces: Place[][] = texts.map(() => [])
  const found = places.filter((place) => {
    const cut = piecesOf(sequence, place)
    if (!areApart(sequence, cut)) return false
    for (const { at, start, end } of cut) {
      const content = texts[at]?.slice(start, end) ?? ''
      pieces[at]?.push({ start, end, depth: 0, ...filledBy(place.finding, content) })
    }
    return true
  })
  if (!gravest || !found.length) return texts
  report(
    context,
    'pii',
    policy,
    policy.action,
    gravest,
    found.map(({ finding, start, end }) => ({ ...finding, start, end })),
  )
  if (policy.mode === 'shadow') return texts
  if (policy.action === 'block') throw blocked()
  return mapBounded(texts, inspectionsAtOnce, async (text, at) =>
    pieces[at]?.length ? replaceAll(text, pieces[at], { policy, context }) : text,
  )
}

/** In every reading of the text. */
const find = async (policy: PiiPolicy, text: string, context: CheckContext, before = ''): Promise<Found> => {
  const places: Place[][] = []
  let gravest: Inspection | undefined
  for (const reading of await readingsFor('pii', policy, text, context, before)) {
    const request = {
      text: reading.text,
      ignore: policy.ignore,
      ...(before ? { before: reading.before } : {}),
      ...(context.source?.word ? { word: true } : {}),
    }
    const inspection = await inspect('pii', context.detectors.pii, policy, request, context)
    if (!inspection) continue
    if (!gravest || inspection.score > gravest.score) gravest = inspection
    places.push(relevant(policy, inspection).map((finding) => placeOf(finding, reading)))
  }
  return { places: withoutOverlaps(text, places.flat()), gravest }
}

const blocked = () => failure('content_blocked', { verdict: blockedBy.pii })

/** Of a detector that ignores nothing, too. */
const relevant = (policy: PiiPolicy, inspection: Inspection): Finding[] =>
  counting(policy, inspection).filter(({ type }) => !policy.ignore.includes(type))

const placeOf = (finding: Finding, { depth, text, sourceOf }: Reading): Place => ({
  ...sourceOf(finding),
  depth,
  ...filledBy(finding, text.slice(finding.start, finding.end)),
})

/** A content that is all found. */
const filledBy = (finding: Finding, content: string): Pick<Place, 'content' | 'finding'> => ({
  content,
  finding: { ...finding, start: 0, end: content.length },
})

interface Replacer {
  readonly policy: PiiPolicy
  readonly context: CheckContext
}

const replaceAll = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  if (isJson(text)) return replaceInJson(text, places, replacer)
  if (places.every((place) => standsIn(text, place))) return replaceAsItStands(text, places, replacer)
  const write = async (place: Place) => writtenAt(place.depth, await replacementOf(place, replacer))
  return (await replaceEach(text, places, write)).text
}

const standsIn = (text: string, { depth, start, end, content }: Place): boolean =>
  depth === 0 && text.slice(start, end) === content

const replaceAsItStands = (text: string, places: readonly Place[], replacer: Replacer): Promise<string> =>
  replace(
    text,
    places.map(({ finding, start, end }) => ({ ...finding, start, end })),
    replacer,
  )

const replaceInJson = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  const stringOf = stringsIn(text)
  const nestedOf = nestedJson(text)
  const whole = places.map((place) => {
    const string = stringOf(place)
    return string ? (nestedOf(string, place) ?? withWholeEscapes(text, place)) : numberAround(text, place)
  })
  const replaced = await replaceEach(text, withoutOverlaps(text, whole), async (place) => {
    if (place.nested) return JSON.stringify(await replaceNested(place.content, replacer))
    const content = await replacementOf(place, replacer)
    return stringOf(place) ? writtenAt(Math.max(1, place.depth), content) : JSON.stringify(content)
  })
  if (!isJson(replaced.text)) throw blocked()
  return withDistinctKeys(replaced.text, replaced.written)
}

/** The whole string that a place is in, where it reads as JSON; parsed once for all places in it. */
const nestedJson = (text: string): ((string: Span, place: Place) => Place | undefined) => {
  const contents = new Map<number, string | undefined>()
  return ({ start, end }, { depth, finding }) => {
    if (!contents.has(start)) contents.set(start, jsonIn(text.slice(start, end)))
    const content = contents.get(start)
    return content === undefined ? undefined : { start, end, depth, content, finding, nested: true }
  }
}

const jsonIn = (string: string): string | undefined => {
  const content = String(JSON.parse(string))
  return isJson(content) ? content : undefined
}

/** Blocks where the finding is gone as soon as the JSON stands alone: what it was cannot be told. */
const replaceNested = async (json: string, replacer: Replacer): Promise<string> => {
  const { places } = await find(replacer.policy, json, replacer.context)
  if (!places.length) throw blocked()
  return replaceAll(json, places, replacer)
}

/** As it stands, a letter of an escape looks like the first of what follows: `\njane@example.com`. */
const withWholeEscapes = (text: string, place: Place): Place => {
  const [start, end] = [behindEscape(text, place.start), behindEscape(text, place.end)]
  if ((start === place.start && end === place.end) || start >= end) return place
  return { ...place, start, end, depth: 0, ...filledBy(place.finding, text.slice(start, end)) }
}

/** The number that the place is a part of: replaced, it becomes a string. */
const numberAround = (text: string, { finding, depth, start, end }: Place): Place => {
  const before = /[-+.\deE]*$/.exec(text.slice(Math.max(0, start - longestNumber), start))?.[0].length ?? 0
  const after = /^[-+.\deE]*/.exec(text.slice(end, end + longestNumber))?.[0].length ?? 0
  const content = text.slice(start - before, end + after)
  const inside = { start: before, end: before + end - start }
  return { start: start - before, end: end + after, depth, content, finding: { ...finding, ...inside } }
}

/** Characters on each side; of a longer number the JSON breaks, and the text is blocked. */
const longestNumber = 400

/** Each by what `write` makes of it. */
const replaceEach = async (
  text: string,
  places: readonly Place[],
  write: (place: Place) => Promise<string>,
): Promise<Spliced> => splice(text, places, await mapBounded(places, inspectionsAtOnce, write))

const lengthOf = ({ start, end }: Span) => end - start

/** In order of their start; those that overlap become one, of the longest one's type. */
const withoutOverlaps = (text: string, places: readonly Place[]): Place[] => {
  const kept: Place[] = []
  const sorted = places.toSorted((a, b) => a.start - b.start || lengthOf(b) - lengthOf(a) || a.depth - b.depth)
  for (const place of sorted) {
    const last = kept.at(-1)
    if (!last || place.start >= last.end) kept.push(place)
    else if (place.end > last.end) kept.splice(-1, 1, united(text, last, place))
  }
  return kept
}

const united = (text: string, { start, ...first }: Place, { end, ...second }: Place): Place => {
  const { finding } = second.content.length > first.content.length ? second : first
  return { start, end, depth: 0, ...filledBy(finding, text.slice(start, end)) }
}

const replacementOf = ({ content, finding }: Place, replacer: Replacer): Promise<string> =>
  replace(content, [finding], replacer)

const replace = async (text: string, findings: readonly Finding[], { policy, context }: Replacer): Promise<string> => {
  const { pii } = context.detectors
  const replaced = await guarded('pii', policy, text, context, async (call) => {
    if (!pii) throw failure('capability_missing', { capability: 'pii' })
    return soundReplacement(await pii.replace({ text, findings: [...findings], method: policy.method }, call))
  })
  if (!replaced) throw failure('safeguard_unavailable', { name: 'pii' })
  return replaced.text
}
