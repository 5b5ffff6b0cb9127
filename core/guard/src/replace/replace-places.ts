/** Writes other texts in the places of what was found. */

import { mapBounded, mapInTurns, Pacer } from '@sallyport/kit/async'
import { failure, inspectionsAtOnce, loggable } from '@sallyport/core'
import type { Finding, ReplaceMethod, ReplaceRequest, writtenMethods } from '@sallyport/core'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { behindEscape, isJson, isJsonInTime, stringsIn, positionOf, unescaped, writtenAt } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { guarded } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { shownType } from '../detect/findings.js'
import { withDistinctKeys } from './json-keys.js'
import { filledBy, foundIn, withoutOverlaps } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { validReplacement } from '../detect/validity.js'
import { splice } from './splice.js'
import type { Spliced } from './splice.js'

export interface Replacer {
  readonly check: SpanCheck
  readonly context: CheckContext
}

/**
 * The text with all that was found replaced. What is JSON stays JSON.
 * @throws content_blocked where it cannot, safeguard_unavailable
 */
export const replaceAll = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  if (await isJsonInTime(text, pacer)) return replaceInJson(text, places, replacer)
  const whole = withoutOverlaps(text, await mapInTurns(places, pacer, (place) => withWholeEscapes(text, place)))
  const areWritten = await mapInTurns(whole, pacer, (place) => standsIn(text, place))
  if (areWritten.every(Boolean)) return replace(text, await mapInTurns(whole, pacer, foundIn), replacer)
  const write = async (place: Place) => writtenAt(place.depth, await replacementOf(place, replacer))
  return (await replaceEach(text, whole, write)).text
}

const standsIn = (text: string, { depth, start, end, content }: Place): boolean =>
  depth === 0 && text.slice(start, end) === content

const replaceInJson = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  const stringOf = await stringsIn(text, pacer)
  const replaced = await replaceEach(text, wholePlaces(text, places, stringOf, replacer.check), async (place) => {
    if (place.nested) return JSON.stringify(await replaceAll(place.content, place.nested, replacer))
    const content = await replacementOf(place, replacer)
    return stringOf(place) ? writtenAt(Math.max(1, place.depth), content) : JSON.stringify(content)
  })
  if (!(await isJsonInTime(replaced.text, pacer))) throw blocked(replacer.check)
  return withDistinctKeys(replaced.text, replaced.written, pacer)
}

/** What can be replaced so that JSON stays JSON: whole escapes and numbers, and strings of JSON with all that is in them. */
const wholePlaces = (
  json: string,
  places: readonly Place[],
  stringOf: (span: Span) => Span | undefined,
  check: SpanCheck,
): readonly Place[] => {
  const nestedOf = nestedJson(json)
  const whole: Place[] = []
  const inside = new Map<NestedJson, [Place, ...Place[]]>()
  for (const place of places) {
    const string = stringOf(place)
    const nested = string && place.end <= string.end ? nestedOf(string) : undefined
    if (!nested) whole.push(string ? withWholeEscapes(json, place) : numberAround(json, place))
    else if (inside.has(nested)) inside.get(nested)?.push(inNested(nested, place, check))
    else inside.set(nested, [inNested(nested, place, check)])
  }
  for (const [{ string, text }, nested] of inside) whole.push({ ...nested[0], ...string, content: text, nested })
  return withoutOverlaps(json, whole)
}

/** A string whose content is JSON of its own. */
interface NestedJson {
  readonly string: Span
  readonly text: string
  /** Where in its text something stands that stands there in the JSON around it. */
  readonly spanOf: (span: Span) => Span
}

/** Undefined for a string of another content; each is read once. */
const nestedJson = (json: string): ((string: Span) => NestedJson | undefined) => {
  const known = new Map<number, NestedJson | undefined>()
  return (string) => {
    if (!known.has(string.start)) known.set(string.start, nestedIn(json, string))
    return known.get(string.start)
  }
}

const nestedIn = (json: string, string: Span): NestedJson | undefined => {
  const begin = string.start + 1
  const reading = unescaped(json.slice(begin, string.end - 1))
  if (!isJson(reading.text)) return undefined
  const spanOf = ({ start, end }: Span) => ({
    start: positionOf(reading, start - begin),
    end: positionOf(reading, end - begin),
  })
  return { string, text: reading.text, spanOf }
}

/** @throws content_blocked where nothing is left of the place: what it was cannot be told */
const inNested = ({ text, spanOf }: NestedJson, place: Place, check: SpanCheck): Place => {
  const span = spanOf(place)
  if (span.start >= span.end) throw blocked(check)
  if (place.depth > 0) return { ...place, ...span, depth: place.depth - 1 }
  return { ...span, depth: 0, ...filledBy(place.finding, text.slice(span.start, span.end)) }
}

/** In the text as it stands, a letter of an escape looks like the first of what follows: `\njane@example.com`. */
const withWholeEscapes = (text: string, place: Place): Place => {
  const [start, end] = [behindEscape(text, place.start), behindEscape(text, place.end)]
  if ((start === place.start && end === place.end) || start >= end) return place
  return { ...place, start, end, depth: 0, ...filledBy(place.finding, text.slice(start, end)) }
}

/** The number that the place is a part of: replaced, it becomes a string. */
const numberAround = (text: string, { finding, depth, start, end }: Place): Place => {
  const before = /[-+.\deE]*$/.exec(text.slice(Math.max(0, start - maxNumber), start))?.[0].length ?? 0
  const after = /^[-+.\deE]*/.exec(text.slice(end, end + maxNumber))?.[0].length ?? 0
  const content = text.slice(start - before, end + after)
  const inside = { start: before, end: before + end - start }
  return { start: start - before, end: end + after, depth, content, finding: { ...finding, ...inside } }
}

/** Characters on each side; of a longer number the JSON breaks, and the text is blocked. */
const maxNumber = 400

/** Each by what `write` makes of it. */
const replaceEach = async (
  text: string,
  places: readonly Place[],
  write: (place: Place) => Promise<string>,
): Promise<Spliced> => splice(text, places, await mapBounded(places, inspectionsAtOnce, write))

const replacementOf = ({ content, finding }: Place, replacer: Replacer): Promise<string> =>
  replace(content, [finding], replacer)

const replace = async (text: string, findings: readonly Finding[], { check, context }: Replacer): Promise<string> => {
  const { detector, policy } = check
  const replaced = await guarded(check, text, context, async (call) => {
    if (!detector) throw failure('capability_missing', { capability: policy.check })
    const request = { text, findings: [...findings], method: policy.method }
    return detector.replace ? validReplacement(await detector.replace(request, call)).text : written(request)
  })
  if (replaced === undefined) throw failure('safeguard_unavailable', { name: check.name })
  return replaced
}

type Write = (type: string) => string

/** What stands for a finding of a detector that replaces nothing itself. */
const standsFor: Record<(typeof writtenMethods)[number], Write> & Partial<Record<ReplaceMethod, Write>> = {
  category: (type) => `<${shownType(type)}>`,
  mask: () => '*',
  remove: () => '',
}

/** The findings lie apart, in their order. */
const written = ({ text, findings, method }: ReplaceRequest): string => {
  const write = standsFor[method]
  if (!write) throw loggable(new TypeError(`a detector that replaces nothing itself has no method ${method}`))
  return splice(
    text,
    findings,
    findings.map(({ type }) => write(type)),
  ).text
}
