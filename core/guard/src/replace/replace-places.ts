/** Replaces the places of findings in a text. */

import { mapBounded, mapInTurns, Pacer } from '@sallyport/kit/async'
import { failure, inspectionsAtOnce, loggable } from '@sallyport/core'
import type { Finding, ReplaceMethod, ReplaceRequest, writtenMethods } from '@sallyport/core'
import { blocked } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { behindEscape, isJson, isJsonInTime, stringsIn, positionOf, unescaped, writtenAt } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { runDetector } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { safeTypeName } from '../detect/findings.js'
import { withDistinctKeys } from './json-keys.js'
import { wholeContent, findingInText, withoutOverlaps } from '../detect/places.js'
import type { Place } from '../detect/places.js'
import { validReplacement } from '../detect/validity.js'
import { splice } from './splice.js'
import type { Spliced } from './splice.js'

export interface Replacer {
  readonly check: SpanCheck
  readonly context: CheckContext
}

/**
 * Replaces all places. JSON stays JSON.
 * @throws content_blocked where JSON would become invalid, safeguard_unavailable
 */
export const replaceAll = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  if (await isJsonInTime(text, pacer)) return replaceInJson(text, places, replacer)
  const whole = withoutOverlaps(text, await mapInTurns(places, pacer, (place) => withWholeEscapes(text, place)))
  const areWritten = await mapInTurns(whole, pacer, (place) => isUnescaped(text, place))
  if (areWritten.every(Boolean)) return replace(text, await mapInTurns(whole, pacer, findingInText), replacer)
  const write = async (place: Place) => writtenAt(place.depth, await replacementOf(place, replacer))
  return (await replaceEach(text, whole, write)).text
}

const isUnescaped = (text: string, { depth, start, end, content }: Place): boolean =>
  depth === 0 && text.slice(start, end) === content

const replaceInJson = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  const stringOf = await stringsIn(text, pacer)
  const replaced = await replaceEach(text, replaceablePlaces(text, places, stringOf, replacer.check), async (place) => {
    if (place.nested) return JSON.stringify(await replaceAll(place.content, place.nested, replacer))
    const content = await replacementOf(place, replacer)
    return stringOf(place) ? writtenAt(Math.max(1, place.depth), content) : JSON.stringify(content)
  })
  if (!(await isJsonInTime(replaced.text, pacer))) throw blocked(replacer.check)
  return withDistinctKeys(replaced.text, replaced.written, pacer)
}

/** Widens places so that JSON stays valid: to whole escapes, whole numbers, and whole strings that contain JSON. */
const replaceablePlaces = (
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
  /** Converts a span of the outer JSON to a span of the text. */
  readonly spanIn: (span: Span) => Span
}

/** Looks up nested JSON by its string, undefined for other strings. Each string is parsed once. */
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
  const spanIn = ({ start, end }: Span) => ({
    start: positionOf(reading, start - begin),
    end: positionOf(reading, end - begin),
  })
  return { string, text: reading.text, spanIn }
}

/** The place within nested JSON. @throws content_blocked where its span would be empty */
const inNested = ({ text, spanIn }: NestedJson, place: Place, check: SpanCheck): Place => {
  const span = spanIn(place)
  if (span.start >= span.end) throw blocked(check)
  if (place.depth > 0) return { ...place, ...span, depth: place.depth - 1 }
  return { ...span, depth: 0, ...wholeContent(place.finding, text.slice(span.start, span.end)) }
}

/** Widens a place to whole escapes. The `n` of `\njane@example.com` looks like a part of the address. */
const withWholeEscapes = (text: string, place: Place): Place => {
  const [start, end] = [behindEscape(text, place.start), behindEscape(text, place.end)]
  if ((start === place.start && end === place.end) || start >= end) return place
  return { ...place, start, end, depth: 0, ...wholeContent(place.finding, text.slice(start, end)) }
}

/** The whole number around a place; its replacement is a string. */
const numberAround = (text: string, { finding, depth, start, end }: Place): Place => {
  const before = /[-+.\deE]*$/.exec(text.slice(Math.max(0, start - maxNumber), start))?.[0].length ?? 0
  const after = /^[-+.\deE]*/.exec(text.slice(end, end + maxNumber))?.[0].length ?? 0
  const content = text.slice(start - before, end + after)
  const inside = { start: before, end: before + end - start }
  return { start: start - before, end: end + after, depth, content, finding: { ...finding, ...inside } }
}

/** Digits that are looked for on each side. With a longer number the JSON becomes invalid, and the text is blocked. */
const maxNumber = 400

const replaceEach = async (
  text: string,
  places: readonly Place[],
  write: (place: Place) => Promise<string>,
): Promise<Spliced> => splice(text, places, await mapBounded(places, inspectionsAtOnce, write))

const replacementOf = ({ content, finding }: Place, replacer: Replacer): Promise<string> =>
  replace(content, [finding], replacer)

const replace = async (text: string, findings: readonly Finding[], { check, context }: Replacer): Promise<string> => {
  const { detector, policy } = check
  const replaced = await runDetector(check, text, context, async (call) => {
    if (!detector) throw failure('capability_missing', { capability: policy.check })
    const request = { text, findings: [...findings], method: policy.method }
    return detector.replace ? validReplacement(await detector.replace(request, call)).text : withPlaceholders(request)
  })
  if (replaced === undefined) throw failure('safeguard_unavailable', { name: check.name })
  return replaced
}

type Placeholder = (type: string) => string

/** Replacements that the chain writes for detectors without a `replace` method. */
const placeholders: Record<(typeof writtenMethods)[number], Placeholder> & Partial<Record<ReplaceMethod, Placeholder>> =
  {
    category: (type) => `<${safeTypeName(type)}>`,
    mask: () => '*',
    remove: () => '',
  }

/** @param request its findings are sorted and do not overlap */
const withPlaceholders = ({ text, findings, method }: ReplaceRequest): string => {
  const write = placeholders[method]
  if (!write) throw loggable(new TypeError(`a detector without a replace method does not support the method ${method}`))
  return splice(
    text,
    findings,
    findings.map(({ type }) => write(type)),
  ).text
}
