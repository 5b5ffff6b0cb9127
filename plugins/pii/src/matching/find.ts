import type { Finding } from '@sallyport/core'
import type { CompiledRecognizer } from './compiled.js'
import { contextLength, hasContext } from './context.js'
import type { Pattern, Recognizer } from '../recognizers/recognizer.js'
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
  readonly recognizer: CompiledRecognizer['recognizer']
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
export const findIn = (text: string, compiled: CompiledRecognizer, threshold: number): RecognizerFinding[] =>
  [...findingsOf(text, compiled, { threshold, entities: new Set() })].filter((finding) => finding !== undefined)

/** Yields the findings of one recogniser, and undefined where the caller may pause. */
export function* findingsOf(
  text: string,
  compiled: CompiledRecognizer,
  { threshold, entities }: Pick<Search, 'threshold' | 'entities'>,
  { index, first }: { readonly index: TextIndex; readonly first: number } = { index: TextIndex.in(text), first: 0 },
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
  match: Match,
  compiled: CompiledRecognizer,
  pattern: CompiledRecognizer['patterns'][number],
  threshold: number,
): Pick<RecognizerFinding, 'start' | 'end' | 'score'> | undefined => {
  if (pattern.within && !mayReachThreshold(text, match.inner.start, compiled, pattern, threshold)) return undefined
  const inner = spanWithin(text, match, pattern.within ? pattern : compiled.recognizer)
  if (!inner) return undefined
  const score = scoreOf(text, inner.start, inner.end, compiled, pattern, threshold)
  return score >= threshold ? { ...inner, score } : undefined
}

/** Whether a match that begins at an offset can reach the threshold. */
export const mayReachThreshold = (
  text: string,
  start: number,
  { context }: CompiledRecognizer,
  { score, mayFollow }: Pick<Pattern, 'score' | 'mayFollow'>,
  threshold: number,
): boolean =>
  (!mayFollow || mayFollow(text.slice(Math.max(0, start - contextLength), start))) &&
  (score >= threshold || hasContext(text, start, context))

const spanWithin = (
  text: string,
  { inner }: Match,
  { within }: Pick<Recognizer, 'within'>,
): Match['inner'] | undefined => {
  if (!within) return inner
  const part = within(text.slice(inner.start, inner.end))
  return part && { start: inner.start + part.start, end: inner.start + part.end }
}

const scoreOf = (
  text: string,
  start: number,
  end: number,
  { recognizer, context }: CompiledRecognizer,
  pattern: CompiledRecognizer['patterns'][number],
  threshold: number,
): number => {
  const inContext = hasContext(text, start, context)
  if (!inContext && pattern.score < threshold) return 0
  const valid = isValid(text.slice(start, end), recognizer, pattern)
  if (valid === false) return inContext && recognizer.invalidInContext !== false ? invalidScore : 0
  if (!inContext) return pattern.score
  return Math.max(pattern.score, valid ? validScore : Math.min(validScore, pattern.score + contextBonus))
}

const isValid = (match: string, { validate }: Recognizer, { unchecked, within }: Omit<Pattern, 'regex'>) =>
  within ? true : unchecked ? undefined : validate?.(match)

/** Whether a match lies in a placeholder such as `<PERSON>`, which an earlier replacement wrote. */
const isPlaceholder = (text: string, start: number, end: number, entities: ReadonlySet<string>): boolean => {
  const begin = Math.max(0, start - maxPlaceholderLength)
  const bracketOffset = text.slice(begin, start + 1).lastIndexOf('<')
  if (bracketOffset < 0) return false
  const bracket = begin + bracketOffset
  const [placeholder, entity = ''] = /^<([^<>]+)>/.exec(text.slice(bracket, bracket + maxPlaceholderLength)) ?? []
  return placeholder !== undefined && entities.has(entity) && bracket + placeholder.length >= end
}
