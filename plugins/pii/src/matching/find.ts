import type { Finding } from '@sallyport/core'
import type { CompiledRecognizer, RecognizerPattern } from './compiled.js'
import { contextLength, hasContext } from './context.js'
import type { Recognizer } from '../recognizers/recognizer.js'
import { TextIndex } from '../regex/text-index.js'
import { mayMatch } from '../regex/requirements.js'
import { matchesOf } from '../regex/search.js'
import type { Match } from '../regex/search.js'

/** What context words add to the score of a match without a checksum. */
const contextBonus = 0.5
const validScore = 0.95
/** The score of a well-formed number after context words that fails its checksum. */
const invalidScore = 0.58
const maxPlaceholderLength = 48
export const defaultThreshold = 0.5

export interface RecognizerFinding extends Finding {
  readonly recognizer: Recognizer
}

/** The recognisers and settings of a search. */
export interface Search {
  readonly recognizers: readonly CompiledRecognizer[]
  /** Findings with a lower score are dropped. */
  readonly threshold: number
  /** Types whose placeholders, such as `<PERSON>`, contain no findings. */
  readonly entities: ReadonlySet<string>
}

/** Findings of one recogniser in a short plain text, without pauses. */
export const findIn = (text: string, compiled: CompiledRecognizer): RecognizerFinding[] =>
  [...findingsOf(text, compiled, { threshold: defaultThreshold, entities: new Set() })].filter(
    (one) => one !== undefined,
  )

/** Yields the findings of one recogniser, and undefined where the caller may pause. */
export function* findingsOf(
  text: string,
  compiled: CompiledRecognizer,
  { threshold, entities }: Pick<Search, 'threshold' | 'entities'>,
  { index, first }: { readonly index: TextIndex; readonly first: number } = { index: TextIndex.of(text), first: 0 },
): Generator<RecognizerFinding | undefined> {
  const { recognizer } = compiled
  for (const pattern of compiled.patterns) {
    if (!mayMatch(pattern.requirements, index)) continue
    for (const match of matchesOf(text, pattern, { first })) {
      const finding = match && findingAt(text, match, compiled, pattern, threshold)
      const isReported = finding && !isPlaceholder(text, finding.start, finding.end, entities)
      yield isReported ? { type: recognizer.entity, ...finding, recognizer } : undefined
    }
  }
}

/** The finding of a match; undefined where its score is below the threshold. */
export const findingAt = (
  text: string,
  { inner }: Match,
  compiled: CompiledRecognizer,
  pattern: RecognizerPattern,
  threshold: number,
): Pick<Finding, 'start' | 'end' | 'score'> | undefined => {
  if (pattern.within && !mayReachThreshold(text, inner.start, compiled, pattern, threshold)) return undefined
  const { within } = pattern.within ? pattern : compiled.recognizer
  const part = within ? within(text.slice(inner.start, inner.end)) : { start: 0, end: inner.end - inner.start }
  if (!part) return undefined
  const [start, end] = [inner.start + part.start, inner.start + part.end]
  const score = scoreOf(text, start, end, compiled, pattern, threshold)
  return score >= threshold ? { start, end, score } : undefined
}

/** Whether a match that begins at an offset can reach the threshold. */
export const mayReachThreshold = (
  text: string,
  start: number,
  { context }: CompiledRecognizer,
  { score, mayFollow }: RecognizerPattern,
  threshold: number,
): boolean =>
  (!mayFollow || mayFollow(text.slice(Math.max(0, start - contextLength), start))) &&
  (score >= threshold || hasContext(text, start, context))

const scoreOf = (
  text: string,
  start: number,
  end: number,
  { recognizer, context }: CompiledRecognizer,
  pattern: RecognizerPattern,
  threshold: number,
): number => {
  const inContext = hasContext(text, start, context)
  if (!inContext && pattern.score < threshold) return 0
  const validate = pattern.unchecked ? undefined : recognizer.validate
  const valid = pattern.within ? true : validate?.(text.slice(start, end))
  if (valid === false) return inContext && recognizer.invalidInContext !== false ? invalidScore : 0
  if (!inContext) return pattern.score
  return Math.max(pattern.score, valid ? validScore : Math.min(validScore, pattern.score + contextBonus))
}

/** Whether a match is inside a placeholder such as `<PERSON>`, which an earlier replacement wrote. */
const isPlaceholder = (text: string, start: number, end: number, entities: ReadonlySet<string>): boolean => {
  const begin = Math.max(0, start - maxPlaceholderLength)
  const bracketOffset = text.slice(begin, start + 1).lastIndexOf('<')
  if (bracketOffset < 0) return false
  const bracket = begin + bracketOffset
  const [placeholder = '', entity = ''] = /^<([^<>]+)>/.exec(text.slice(bracket, bracket + maxPlaceholderLength)) ?? []
  return entities.has(entity) && bracket + placeholder.length >= end
}
