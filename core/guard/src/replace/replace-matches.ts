/** Replaces matches in a text. */

import { mapBounded, mapInTurns, Pacer } from '@sallyport/kit/async'
import { failure, inspectionsAtOnce, loggable } from '@sallyport/core'
import type { Finding, ReplaceMethod, ReplaceRequest, builtInReplaceMethods } from '@sallyport/core'
import { blocked, restores } from '../policy/active-check.js'
import type { SpanCheck } from '../policy/active-check.js'
import { substituteFor } from './substitutes.js'
import {
  afterEscape,
  isJson,
  isJsonInTime,
  stringsIn,
  positionOf,
  unescaped,
  escapedToDepth,
} from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { runWithinBudget } from '../detect/checks.js'
import type { CheckContext } from '../detect/checks.js'
import { safeTypeName } from '../detect/findings.js'
import { withDistinctKeys } from './json-keys.js'
import { coveredContent, findingInText, withoutOverlaps } from '../detect/matches.js'
import type { Match } from '../detect/matches.js'
import { validReplacement } from '../detect/validity.js'
import { splice } from './splice.js'
import type { Spliced } from './splice.js'

interface Replacer {
  readonly check: SpanCheck
  readonly context: CheckContext
}

/**
 * Replaces all matches. JSON stays JSON.
 * @throws content_blocked where JSON would become invalid, safeguard_unavailable
 */
export const replaceMatches = async (text: string, matches: readonly Match[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  if (vaultOf(replacer)) await replacer.context.turn
  if (await isJsonInTime(text, pacer)) return replaceInJson(text, matches, replacer)
  const disjoint = withoutOverlaps(text, await mapInTurns(matches, pacer, (match) => outsideEscapes(text, match)))
  const areUnescaped = await mapInTurns(disjoint, pacer, (match) => isUnescaped(text, match))
  if (areUnescaped.every(Boolean) && !vaultOf(replacer))
    return replace(text, await mapInTurns(disjoint, pacer, findingInText), replacer)
  const write = async (match: Match) => escapedToDepth(match.depth, await replacementOf(match, replacer))
  return (await replaceEach(text, disjoint, write, replacer)).text
}

/** The vault, if what the check replaces is restored. */
const vaultOf = ({ check, context }: Replacer) => (restores(check) ? context.vault : undefined)

const isUnescaped = (text: string, { depth, start, end, content }: Match): boolean =>
  depth === 0 && text.slice(start, end) === content

const replaceInJson = async (text: string, matches: readonly Match[], replacer: Replacer): Promise<string> => {
  const pacer = new Pacer(replacer.context.call)
  const stringOf = await stringsIn(text, pacer)
  const replaced = await replaceEach(
    text,
    replaceableMatches(text, matches, stringOf, replacer.check),
    async (match) => {
      if (match.nested) return JSON.stringify(await replaceMatches(match.content, match.nested, replacer))
      const content = await replacementOf(match, replacer)
      return stringOf(match) ? escapedToDepth(Math.max(1, match.depth), content) : JSON.stringify(content)
    },
    replacer,
  )
  if (!(await isJsonInTime(replaced.text, pacer))) throw blocked(replacer.check)
  return withDistinctKeys(replaced.text, replaced.replacementSpans, pacer)
}

/**
 * Adjusts matches so that JSON stays valid: no parts of escapes, complete numbers, and complete strings that contain
 * JSON.
 */
const replaceableMatches = (
  json: string,
  matches: readonly Match[],
  stringOf: (span: Span) => Span | undefined,
  check: SpanCheck,
): readonly Match[] => {
  const nestedOf = nestedJson(json)
  const replaceable: Match[] = []
  const inside = new Map<NestedJson, [Match, ...Match[]]>()
  for (const match of matches) {
    const string = stringOf(match)
    const nested = string && match.end <= string.end ? nestedOf(string) : undefined
    if (!nested) replaceable.push(string ? outsideEscapes(json, match) : numberAround(json, match))
    else if (inside.has(nested)) inside.get(nested)?.push(inNested(nested, match, check))
    else inside.set(nested, [inNested(nested, match, check)])
  }
  for (const [{ string, text }, nested] of inside) replaceable.push({ ...nested[0], ...string, content: text, nested })
  return withoutOverlaps(json, replaceable)
}

/** A string that contains JSON. */
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

/** The match within nested JSON. @throws content_blocked where its span would be empty */
const inNested = ({ text, spanIn }: NestedJson, match: Match, check: SpanCheck): Match => {
  const span = spanIn(match)
  if (span.start >= span.end) throw blocked(check)
  if (match.depth > 0) return { ...match, ...span, depth: match.depth - 1 }
  return { ...span, depth: 0, ...coveredContent(match.finding, text.slice(span.start, span.end)) }
}

/**
 * Where the start or the end of a match is inside an escape, moves it behind the escape: the `n` of `\njane@example.com` is
 * not in the address.
 */
const outsideEscapes = (text: string, match: Match): Match => {
  const [start, end] = [afterEscape(text, match.start), afterEscape(text, match.end)]
  if ((start === match.start && end === match.end) || start >= end) return match
  return { ...match, start, end, depth: 0, ...coveredContent(match.finding, text.slice(start, end)) }
}

/** All of the number around a match; its replacement is a string. */
const numberAround = (text: string, { finding, depth, start, end }: Match): Match => {
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
  matches: readonly Match[],
  write: (match: Match) => Promise<string>,
  replacer: Replacer,
): Promise<Spliced> =>
  splice(text, matches, await mapBounded(matches, vaultOf(replacer) ? 1 : inspectionsAtOnce, write))

const replacementOf = async ({ content, finding }: Match, replacer: Replacer): Promise<string> => {
  const vault = vaultOf(replacer)
  if (!vault) return replace(content, [finding], replacer)
  const original = content.slice(finding.start, finding.end)
  const whole = { ...finding, start: 0, end: original.length }
  const makeFake = (avoid: readonly string[]) => replace(original, [whole], replacer, avoid)
  const fakes = replacer.check.entry.method === 'fake' ? makeFake : undefined
  const substitute = await substituteFor({ type: safeTypeName(finding.type), original }, vault, fakes)
  return splice(content, [finding], [substitute]).text
}

const replace = async (
  text: string,
  findings: readonly Finding[],
  { check, context }: Replacer,
  avoid?: readonly string[],
): Promise<string> => {
  const { detector, entry } = check
  const replaced = await runWithinBudget(check, text, context, async (call) => {
    if (!detector) throw failure('capability_missing', { capability: entry.check })
    const request = { text, findings: [...findings], method: entry.method, ...(avoid && { avoid: [...avoid] }) }
    return detector.replace ? validReplacement(await detector.replace(request, call)).text : withPlaceholders(request)
  })
  if (replaced === undefined) throw failure('safeguard_unavailable', { name: check.name })
  return replaced
}

type Placeholder = (type: string) => string

/** Replacements that the chain writes for detectors without a `replace` method. */
const placeholders: Record<(typeof builtInReplaceMethods)[number], Placeholder> &
  Partial<Record<ReplaceMethod, Placeholder>> = {
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
