/** Finds the sentences of a text that state something that an answer can be compared with. */

import type { Origin } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import { asksInOtherLanguage } from './other-languages.js'
import {
  beforeRequests,
  behindNouns,
  courtesies,
  descriptions,
  empty,
  finite,
  forms,
  questions,
  requests,
  systemDescriptions,
  wishes,
} from './words.js'

export interface StatementOptions {
  /** Whose text it is: what systems say of users and answers states nothing. */
  readonly origin?: Origin
  /** Whether the text is to be continued: a last sentence without an end states nothing yet. */
  readonly unfinished?: boolean
}

/** Where sentences end: behind a stop and blanks, behind a stop of scripts without blanks, and between lines. */
const boundary = /(?<=[.!?…]["'”’»)\]*_`]{0,3})\s+|(?<=[。！？][」』）”’]?)(?![」』）”’。！？])|\n\s*/gu
/** Titles and initials, whose stop ends no sentence. */
const abbreviated = /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|approx|No|Vol|Fig|e\.g|i\.e|\p{Lu})\.\s+$/u

/** The sentences and lines of a text, one by one. */
export function* sentencesOf(text: string): Generator<Span> {
  let start = 0
  for (const { 0: gap, index } of text.matchAll(boundary)) {
    const end = index + gap.length
    if (!gap.includes('\n') && abbreviated.test(text.slice(Math.max(start, index - 8), end))) continue
    if (index > start) yield { start, end: index }
    start = end
  }
  if (start < text.length) yield { start, end: text.length }
}

/** The part of a sentence that states something: all of it, what stands behind a colon, or nothing. */
export const statementIn = (text: string, { start, end }: Span, options: StatementOptions): Span | undefined => {
  const sentence = text.slice(start, end)
  const content = bare(sentence)
  const isLast = end === text.length
  if (options.unfinished && isLast && !closed.test(sentence)) return undefined
  if (question.test(sentence) || forms.test(content)) return undefined
  const alone = isLast && start === 0
  if (states(content, alone, options)) return { start, end }
  const colon = /^[^:：\n]{1,160}[:：](?=\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u.exec(sentence)
  if (!colon) return undefined
  const from = colon[0].length
  return states(bare(sentence.slice(from)), false, options) ? { start: start + from, end } : undefined
}

const question = /[?？؟\u037e՞][\s"'”’»)\]*_`」』）]*$/u
const closed = /[.!…。！]["'”’»)\]*_`」』）]*\s*$/u

/** UTF-16 units of a sentence that are looked at. */
const maxSentence = 600

/** The sentence without the marks of lists, quotations and emphasis before it. */
const bare = (sentence: string): string =>
  sentence
    .trim()
    .slice(0, maxSentence)
    .replace(/^(?:[\s>#*\-–—•"'“”‘’«»()[\]`_~|]+|\(?\d{1,3}[.)]\s+)+/u, '')
    .replaceAll('’', "'")

/** @param alone whether the text has nothing else: then words without a verb are asked for, and not stated */
const states = (content: string, alone: boolean, options: StatementOptions): boolean => {
  if (/[:：]$/.test(content) || asks(content, options) || asksInOtherLanguage(content)) return false
  return saysSomething(content) && (closed.test(content) || isStated(content, alone))
}

/** Whether it greets, asks, wishes, or speaks of the model. */
const asks = (content: string, options: StatementOptions, first = true): boolean => {
  const isNone =
    courtesies.test(content) ||
    wishes.test(content) ||
    descriptions.test(content) ||
    questions.test(content) ||
    (options.origin === 'system' && systemDescriptions.test(content)) ||
    isRequest(content, first)
  return isNone || asksLater(content, options)
}

/** Whether a request follows later: `If you are not sure, say so.`, `Please list …`, `Hello, who wrote …`. */
const asksLater = (content: string, options: StatementOptions): boolean => {
  const [opening = ''] = /^[\p{L}']+/u.exec(content) ?? []
  if (!beforeRequests.has(opening.toLowerCase())) return false
  const clause = /^[^,]{1,160},\s*/.exec(content)?.[0].length
  const word = opening.length + (/^[,!.]?\s+/.exec(content.slice(opening.length))?.[0].length ?? 0)
  return [word, clause].some(
    (at) => at !== undefined && at > opening.length && at < content.length && asks(content.slice(at), options, false),
  )
}

const isRequest = (content: string, first: boolean): boolean => {
  if (/^(?:do not|don't|never|always|no \S+[.!]?$)/i.test(content)) return true
  const [, verb = '', next = ''] = /^([\p{L}-]+)(?:\s+([\p{L}']+))?/u.exec(content) ?? []
  const isVerb = requests.has(first ? verb.toLowerCase() : verb)
  return isVerb && !behindNouns.has(next) && !content.startsWith("'s", verb.length)
}

/** Whether it has at least two words, or some signs of a script without blanks, that mean something. */
const saysSomething = (content: string): boolean => {
  const signs = content.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  const words = (content.match(/[\p{L}\p{N}']+/gu) ?? []).filter((word) => !empty.has(word.toLowerCase()))
  return signs >= 5 || words.filter((word) => word.length > 1 || /\p{N}/u.test(word)).length >= 2
}

/** Whether words without a stop state something: they have a verb, or the form of data. */
const isStated = (content: string, alone: boolean): boolean => {
  const words = content.match(/[\p{L}\p{N}']+/gu) ?? []
  if (words.length >= 4 && words.some((word) => finite.has(word.toLowerCase()))) return true
  const isData = /["'\p{L}\p{N})]\s*[:=]\s*\S|\t|\S\s*\|\s*\S|^\{|,.*,/u.test(content)
  return !alone && (isData || words.length >= 8)
}
