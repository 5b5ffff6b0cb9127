import type { Finding } from '@sallyport/core'
import type { CompiledRecognizer } from './compiled.js'
import { contextLength, hasContext } from './context.js'
import type { Pattern, Recognizer } from '../recognizers/recognizer.js'
import { TextIndex } from '../regex/text-index.js'
import { mayMatch } from '../regex/requirements.js'
import { matchesOf } from '../regex/search.js'
import type { Match } from '../regex/search.js'

/** What context adds to the score of a match that nothing else confirms. */
const contextBonus = 0.5
const validInContext = 0.95
/** The score of a number that is well formed and fails its check, where context gives it. */
const invalidInContext = 0.58
const maxPlaceholder = 48
/** The threshold unless said otherwise. */
export const foundFrom = 0.5

/** A finding with what found it. */
export interface Found extends Finding {
  readonly recognizer: CompiledRecognizer['recognizer']
}

/** What is looked for. */
export interface Search {
  readonly recognizers: readonly CompiledRecognizer[]
  /** Findings with less are none. */
  readonly threshold: number
  /** Types that stand for what was replaced: `<PERSON>`, in which nothing is found. */
  readonly entities: ReadonlySet<string>
}

/** What a recogniser finds, without pauses: for a text that is short and needs no other reading. */
export const findIn = (text: string, compiled: CompiledRecognizer, threshold: number): Found[] =>
  [...findingsOf(text, compiled, { threshold, entities: new Set() })].filter((finding) => finding !== undefined)

/** What one recogniser finds. Yields undefined where others may have their turn. */
export function* findingsOf(
  text: string,
  compiled: CompiledRecognizer,
  { threshold, entities }: Pick<Search, 'threshold' | 'entities'>,
  { index, first }: { readonly index: TextIndex; readonly first: number } = { index: TextIndex.in(text), first: 0 },
): Generator<Found | undefined> {
  const { recognizer } = compiled
  for (const pattern of compiled.patterns) {
    if (!mayMatch(pattern.requirements, index)) continue
    for (const match of matchesOf(text, pattern, { first })) {
      const finding = match && findingAt(text, match, compiled, pattern, threshold)
      const isOne = finding && !isPlaceholder(text, finding.start, finding.end, entities)
      yield isOne ? { type: recognizer.entity, ...finding, recognizer } : undefined
    }
  }
}

/** What a match finds; undefined where its score is less than the threshold. */
export const findingAt = (
  text: string,
  match: Match,
  compiled: CompiledRecognizer,
  pattern: CompiledRecognizer['patterns'][number],
  threshold: number,
): Pick<Found, 'start' | 'end' | 'score'> | undefined => {
  if (pattern.within && !mayCount(text, match.inner.start, compiled, pattern, threshold)) return undefined
  const inner = innerOf(text, match, pattern.within ? pattern : compiled.recognizer)
  if (!inner) return undefined
  const score = scoreOf(text, inner.start, inner.end, compiled, pattern, threshold)
  return score >= threshold ? { ...inner, score } : undefined
}

/** Whether what begins there can reach the threshold. */
export const mayCount = (
  text: string,
  start: number,
  { context }: CompiledRecognizer,
  { score, given }: Pick<Pattern, 'score' | 'given'>,
  threshold: number,
): boolean =>
  (!given || given(text.slice(Math.max(0, start - contextLength), start))) &&
  (score >= threshold || hasContext(text, start, context))

const innerOf = (
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
  const given = hasContext(text, start, context)
  if (!given && pattern.score < threshold) return 0
  const valid = isValid(text.slice(start, end), recognizer, pattern)
  if (valid === false) return given && recognizer.invalidInContext !== false ? invalidInContext : 0
  if (!given) return pattern.score
  return Math.max(pattern.score, valid ? validInContext : Math.min(validInContext, pattern.score + contextBonus))
}

const isValid = (match: string, { validate }: Recognizer, { unchecked, within }: Omit<Pattern, 'regex'>) =>
  within ? true : unchecked ? undefined : validate?.(match)

/** Whether a match lies in `<PERSON>`, as we write it ourselves. */
const isPlaceholder = (text: string, start: number, end: number, entities: ReadonlySet<string>): boolean => {
  const begin = Math.max(0, start - maxPlaceholder)
  const within = text.slice(begin, start + 1).lastIndexOf('<')
  if (within < 0) return false
  const from = begin + within
  const [placeholder, entity = ''] = /^<([^<>]+)>/.exec(text.slice(from, from + maxPlaceholder)) ?? []
  return placeholder !== undefined && entities.has(entity) && from + placeholder.length >= end
}
