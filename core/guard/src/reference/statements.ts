/** Finds the sentences of a text that state something, so that an answer can be compared with them. */

import type { Origin } from '@sallyport/core'
import type { Span } from '@sallyport/kit/views'
import { endsAbbreviation } from '../output/boundaries.js'
import {
  clauseOpeners,
  courtesies,
  modelDescriptions,
  finiteVerbs,
  isRequestInOtherLanguage,
  unmarkedQuestions,
  requestLabels,
  requestVerbs,
  stopWords,
  systemDescriptions,
  wishes,
  wordsAfterNouns,
} from './words.js'

export interface StatementOptions {
  /** Where the text comes from. What a system prompt says about users and answers is not a statement. */
  readonly origin?: Origin
  /** Whether the model continues the text. Its last sentence is then only a statement if it is complete. */
  readonly unfinished?: boolean
}

/** Sentences end at a terminator followed by white space, at one of scripts without spaces, and at line breaks. */
const boundary = /(?<=[.!?…]["'”’»)\]*_`]{0,3})\s+|(?<=[。！？][」』）”’]?)(?![」』）”’。！？])|\n\s*/gu

/** The sentences and lines of a text, one by one. */
export function* sentencesOf(text: string): Generator<Span> {
  let start = 0
  for (const { 0: gap, index } of text.matchAll(boundary)) {
    const end = index + gap.length
    if (!gap.includes('\n') && endsAbbreviation(text, start, index)) continue
    if (index > start) yield { start, end: index }
    start = end
  }
  if (start < text.length) yield { start, end: text.length }
}

/** The part of a sentence that states something: the whole sentence, the part after a colon, or undefined. */
export const statementIn = (text: string, { start, end }: Span, options: StatementOptions): Span | undefined => {
  const sentence = text.slice(start, end)
  const content = withoutMarks(sentence)
  const isLast = end === text.length
  if (options.unfinished && isLast && !finalTerminator.test(sentence)) return undefined
  if (finalQuestionMark.test(sentence) || requestLabels.test(content)) return undefined
  const alone = isLast && start === 0
  if (isStatement(content, alone, options)) return { start, end }
  const colon = /^[^:：\n]{1,160}[:：](?=\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u.exec(sentence)
  if (!colon) return undefined
  const from = colon[0].length
  return isStatement(withoutMarks(sentence.slice(from)), false, options) ? { start: start + from, end } : undefined
}

const finalQuestionMark = /[?？؟\u037e՞][\s"'”’»)\]*_`」』）]*$/u
const finalTerminator = /[.!…。！]["'”’»)\]*_`」』）]*\s*$/u

/** Maximum number of UTF-16 code units of a sentence that are read. */
const maxSentence = 600

/** The sentence without leading marks of lists, quotations and emphasis. */
const withoutMarks = (sentence: string): string =>
  sentence
    .trim()
    .slice(0, maxSentence)
    .replace(/^(?:[\s>#*\-–—•"'“”‘’«»()[\]`_~|]+|\(?\d{1,3}[.)]\s+)+/u, '')
    .replaceAll('’', "'")

/** @param alone whether it is the whole text: words without a verb are then a request, not a statement */
const isStatement = (content: string, alone: boolean, options: StatementOptions): boolean => {
  if (/[:：]$/.test(content) || addressesModel(content, options) || isRequestInOtherLanguage(content)) return false
  return hasContent(content) && (finalTerminator.test(content) || hasVerbOrData(content, alone))
}

/** Whether it is a greeting, question, wish or request, or describes the model. */
const addressesModel = (content: string, options: StatementOptions, startsSentence = true): boolean => {
  const addressesDirectly =
    courtesies.test(content) ||
    wishes.test(content) ||
    modelDescriptions.test(content) ||
    unmarkedQuestions.test(content) ||
    (options.origin === 'system' && systemDescriptions.test(content)) ||
    isRequest(content, startsSentence)
  return addressesDirectly || addressesModelLater(content, options)
}

/** Whether a request follows later: `If you are not sure, say so.`, `Please list …`, `Hello, who wrote …`. */
const addressesModelLater = (content: string, options: StatementOptions): boolean => {
  const [opening = ''] = /^[\p{L}']+/u.exec(content) ?? []
  if (!clauseOpeners.has(opening.toLowerCase())) return false
  const clauseEnd = /^[^,]{1,160},\s*/.exec(content)?.[0].length
  const openingEnd = opening.length + (/^[,!.]?\s+/.exec(content.slice(opening.length))?.[0].length ?? 0)
  return [openingEnd, clauseEnd].some(
    (at) =>
      at !== undefined &&
      at > opening.length &&
      at < content.length &&
      addressesModel(content.slice(at), options, false),
  )
}

const isRequest = (content: string, startsSentence: boolean): boolean => {
  if (/^(?:do not|don't|never|always|no \S+[.!]?$)/i.test(content)) return true
  const [, verb = '', next = ''] = /^([\p{L}-]+)(?:\s+([\p{L}']+))?/u.exec(content) ?? []
  const isVerb = requestVerbs.has(startsSentence ? verb.toLowerCase() : verb)
  return isVerb && !wordsAfterNouns.has(next) && !content.startsWith("'s", verb.length)
}

/** Whether it has at least two words with content, or five characters of a script without spaces. */
const hasContent = (content: string): boolean => {
  const characters =
    content.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  const words = (content.match(/[\p{L}\p{N}']+/gu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()))
  return characters >= 5 || words.filter((word) => word.length > 1 || /\p{N}/u.test(word)).length >= 2
}

/** Whether words without a final stop are a statement: they contain a finite verb or look like data. */
const hasVerbOrData = (content: string, alone: boolean): boolean => {
  const words = content.match(/[\p{L}\p{N}']+/gu) ?? []
  if (words.length >= 4 && words.some((word) => finiteVerbs.has(word.toLowerCase()))) return true
  const isData = /["'\p{L}\p{N})]\s*[:=]\s*\S|\t|\S\s*\|\s*\S|^\{|,.*,/u.test(content)
  return !alone && (isData || words.length >= 8)
}
