/** Finds and replaces personal information in a text, however it is written there. */

import type { Finding, Inspection } from '../capabilities/safeguard.js'
import { failure } from '../errors/index.js'
import { blockedBy, guarded, inspect, report } from './checks.js'
import type { CheckContext } from './checks.js'
import { isJson, outsideStrings } from './json-text.js'
import type { PiiPolicy } from './policy.js'
import { readingsOf, writtenAt } from './readings.js'
import type { Reading, Span } from './readings.js'
import { soundReplacement } from './soundness.js'

/** A span of the text, what it says, and what was found in that. */
interface Place extends Span {
  /** Of the reading that it was found in. */
  readonly depth: number
  readonly content: string
  /** Its span is one of the content. */
  readonly finding: Finding
}

/**
 * Blocks or replaces; returns the text that may go on. What is JSON stays JSON, or is blocked.
 * @throws content_blocked, safeguard_unavailable
 */
export const checkPii = async (policy: PiiPolicy, text: string, context: CheckContext): Promise<string> => {
  const found: Place[][] = []
  let gravest: Inspection | undefined
  for (const reading of readingsOf(text)) {
    const inspection = await inspect('pii', context.detectors.pii, policy, { text: reading.text }, context)
    if (!inspection) return text
    if (!gravest || inspection.score > gravest.score) gravest = inspection
    found.push(relevant(policy, inspection).map((finding) => placeOf(finding, reading)))
  }
  const places = found.flat()
  if (gravest) report(context, 'pii', policy, places.length ? policy.action : 'pass', gravest)
  if (!places.length || policy.mode === 'shadow') return text
  if (policy.action === 'block') throw blocked()
  return replaceAll(text, withoutOverlaps(text, places), (part, findings) => replace(policy, part, findings, context))
}

const blocked = () => failure('content_blocked', { verdict: blockedBy.pii })

const relevant = ({ threshold, ignore }: PiiPolicy, { findings }: Inspection): Finding[] =>
  // Not `>=`: a threshold that is no number must not let everything pass.
  findings.filter(({ type, score }) => !(score < threshold) && !ignore.includes(type))

const placeOf = (finding: Finding, { depth, text, sourceOf }: Reading): Place => {
  const content = text.slice(finding.start, finding.end)
  return { ...sourceOf(finding), depth, content, finding: { ...finding, start: 0, end: content.length } }
}

type Replace = (text: string, findings: readonly Finding[]) => Promise<string>

const replaceAll = async (text: string, places: readonly Place[], replacer: Replace): Promise<string> => {
  if (!isJson(text)) {
    if (places.every(({ depth }) => depth === 0)) return replaceAsItStands(text, places, replacer)
    return replaceEach(text, places, replacer, ({ depth }, content) => writtenAt(depth, content))
  }
  const outside = outsideStrings(text)
  const numbers = places.map((place) => (outside(place) ? numberAround(text, place) : place))
  const replaced = await replaceEach(text, withoutOverlaps(text, numbers), replacer, (place, content) =>
    outside(place) ? JSON.stringify(content) : writtenAt(Math.max(1, place.depth), content),
  )
  if (!isJson(replaced)) throw blocked()
  return replaced
}

const replaceAsItStands = (text: string, places: readonly Place[], replacer: Replace): Promise<string> =>
  replacer(
    text,
    places.map(({ finding, start, end }) => ({ ...finding, start, end })),
  )

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

/** One after the other, each written as its place asks for. */
const replaceEach = async (
  text: string,
  places: readonly Place[],
  replacer: Replace,
  write: (place: Place, content: string) => string,
): Promise<string> => {
  const parts: string[] = []
  let done = 0
  for (const place of places) {
    const replaced = await replacer(place.content, [place.finding])
    parts.push(text.slice(done, place.start), write(place, replaced))
    done = place.end
  }
  return [...parts, text.slice(done)].join('')
}

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
  const content = text.slice(start, end)
  const { finding } = second.content.length > first.content.length ? second : first
  return { start, end, depth: 0, content, finding: { ...finding, start: 0, end: content.length } }
}

const replace = async (
  policy: PiiPolicy,
  text: string,
  findings: readonly Finding[],
  context: CheckContext,
): Promise<string> => {
  const { pii } = context.detectors
  const replaced = await guarded('pii', policy, context, async (call) => {
    if (!pii) throw failure('capability_missing', { capability: 'pii' })
    return soundReplacement(await pii.replace({ text, findings: [...findings], method: policy.method }, call))
  })
  if (!replaced) throw failure('safeguard_unavailable', { name: 'pii' })
  return replaced.text
}
