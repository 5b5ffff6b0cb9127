/** Writes other texts in the places of what was found. */

import { mapBounded } from '../async/map-bounded.js'
import { Pacer } from '../async/pacer.js'
import type { Finding } from '../capabilities/safeguard.js'
import { failure } from '../errors/index.js'
import { blockedBy, guarded } from './checks.js'
import type { CheckContext } from './checks.js'
import { withDistinctKeys } from './json-keys.js'
import { behindEscape, isJson, stringsIn } from './json-text.js'
import { filledBy, withoutOverlaps } from './places.js'
import type { Place } from './places.js'
import type { PiiPolicy } from './policy.js'
import { writtenAt } from './readings.js'
import type { Span } from './readings.js'
import { inspectionsAtOnce, soundReplacement } from './soundness.js'
import { splice } from './splice.js'
import type { Spliced } from './splice.js'

export const piiBlocked = () => failure('content_blocked', { verdict: blockedBy.pii })

export interface Replacer {
  readonly policy: PiiPolicy
  readonly context: CheckContext
  /** Looks at a text that stands alone. */
  readonly find: (text: string) => Promise<readonly Place[]>
}

/**
 * The text with all that was found replaced. What is JSON stays JSON.
 * @throws content_blocked where it cannot, safeguard_unavailable
 */
export const replaceAll = async (text: string, places: readonly Place[], replacer: Replacer): Promise<string> => {
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
  const pacer = new Pacer(replacer.context.call)
  const stringOf = await stringsIn(text, pacer)
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
  if (!isJson(replaced.text)) throw piiBlocked()
  return withDistinctKeys(replaced.text, replaced.written, pacer)
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
  const places = await replacer.find(json)
  if (!places.length) throw piiBlocked()
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
