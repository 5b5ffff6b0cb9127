import { isCapitalisedCommonWord, isCommon, isFrequent } from '../words/common-words.js'
import { mentionsPersonalNumber } from './false-positives.js'
import { isKnownName } from '../words/names.js'
import { isNonName } from '../words/non-names.js'

/** A word, or a punctuation mark that separates sentences or clauses. */
const token = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*|[.!?:…;|"“”()]/gu

/** Five digits, which may be an identifier. */
const identifier = /\d(?:[ -]?\d){4}/

/** Digits that are not identifiers: dates, fractions, and numbers that fill a cell of a table or an item of a list. */
const otherDigits =
  /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|(?<![\d.])-?\d{1,20}\.\d{1,24}(?![\d.])|(?<=[,;|\t\n[({] ?|["']: ?)-?\d{1,20}(?= ?[,;|\t\n\])}])/g

/** Whether digits of a text may be a personal number. */
const mayIdentify = (text: string): boolean =>
  identifier.test(text) && (mentionsPersonalNumber(text) || identifier.test(text.replace(otherDigits, '.')))

/** A word of addresses: a number in the same text may be part of one. */
const addressWord =
  /(?<!\p{L})(?:streets?|roads?|avenue|lane|drive|boulevard|floor|apartment|flat|suite|address|zip|box|rue|calle|via|rua|plaza|piazza)(?!\p{L})|stra(?:ß|ss)e|straat/iu

const titledName =
  /(?<!\p{L})(?:mr|mrs|ms|mx|dr|prof|sir|herr|frau|mme|madame|monsieur|señora?|signora?)(?:\. {0,2}| {1,2})\p{L}/iu

/** A relation of people: then words that also name software may be people. */
const relation =
  /\b(?:met|(?:my|his|her|our|their|your) (?:\p{Ll}+ )?(?:son|daughter|child|kid|baby|wife|husband|partner|fiancée?|brother|sister|mother|father|mom|mum|dad|uncle|aunt|cousin|nephew|niece|friend|girlfriend|boyfriend|boss|colleague|neighbou?r|doctor|teacher|lawyer))\b/iu

/** A word that introduces a name: then words that are also names count as such. */
const introduction = /\b(?:names?|named|called|call|meet|contact|dear|from|live[sd]?|living|moved|born)\b/iu

const heading = /^\s{0,8}(?:#{1,6} |\*{1,2}|[-•] |\d{1,3}[.)] )/u

/**
 * Whether a text may name a person or a place, so that the model must read it. A text that consists of common words,
 * identifiers of code and small numbers does not; any unknown word may be a name.
 */
export const mayName = (text: string): boolean => {
  if (mayIdentify(text) || (/\d/.test(text) && addressWord.test(text)) || titledName.test(text)) return true
  const usesCapitals = /\p{Lu}\p{Ll}|\bI\b/u.test(text)
  const mentionsRelation = relation.test(text)
  const countsAmbiguousNames = !usesCapitals || introduction.test(text)
  return text.split('\n').some((line) => mayNameIn(line, { usesCapitals, countsAmbiguousNames, mentionsRelation }))
}

const mayNameIn = (line: string, context: Omit<WordContext, 'isFirst' | 'inHeading'>): boolean => {
  const inHeading = heading.test(line)
  let isFirst = true
  for (const { 0: word, index } of line.matchAll(token)) {
    const isSeparator = /^[^\p{L}\p{M}\p{N}_]/u.test(word)
    const countsAmbiguousNames = context.countsAmbiguousNames && !isKey(line, index, word)
    const wordContext = { ...context, isFirst, inHeading, countsAmbiguousNames }
    if (!isSeparator && !isHarmless(word, wordContext) && !isCode(line, index, word)) return true
    isFirst = isSeparator
  }
  return false
}

interface WordContext {
  /** Whether the word begins a sentence. */
  readonly isFirst: boolean
  /** Whether the line is a heading, in which all words may have capitals. */
  readonly inHeading: boolean
  /** Whether words that also name software may be people. */
  readonly mentionsRelation: boolean
  /** Whether words that are also names count as names. */
  readonly countsAmbiguousNames: boolean
  readonly usesCapitals: boolean
}

const isHarmless = (whole: string, context: WordContext): boolean => {
  const { isFirst, inHeading, countsAmbiguousNames, usesCapitals, mentionsRelation } = context
  if (isIdentifier(whole)) return !containsName(whole)
  const word = whole.replace(/^_+|_+$/g, '').replace(/(?:n['’]t|['’](?:s|re|ve|ll|d|m))$/iu, '')
  const parts = word.split(/['’]/)
  if (parts.length > 1) return parts.every((part) => isHarmless(part, context))
  const lower = word.toLowerCase()
  if (lower === word) return isLowerWord(lower) && (!countsAmbiguousNames || isFrequent(lower) || !isKnownName(lower))
  if (word.length === 1) return true
  if (isCapitalisedCommonWord(word) || (!mentionsRelation && isNonName(word))) return !isKnownName(lower)
  if (usesCapitals && /^\p{Lu}{2,5}$/u.test(word)) return !isKnownName(lower)
  if (!usesCapitals && /^\p{Lu}+$/u.test(word)) return isLowerWord(lower) && !isKnownName(lower)
  if (!isFirst && !inHeading) return false
  return isFrequent(lower) || (isLowerWord(lower) && !isKnownName(lower))
}

/** Whether a word in lower case is common. Single letters are, and the beginnings of "can't" and "won't". */
const isLowerWord = (word: string): boolean => word.length <= 1 || word === 'ca' || word === 'wo' || isCommon(word)

/**
 * Whether a word is an identifier of code: `getName`, `snake_case`, `MAX_SIZE`, `utf8`, but not `McName`, `_Name_` or
 * `Name_Surname`.
 */
const isIdentifier = (word: string): boolean =>
  /\d|^\p{Ll}+\p{Lu}/u.test(word) || /^_?(?:\p{Ll}+_[\p{Ll}_]*|\p{Lu}+_[\p{Lu}_]*)$/u.test(word)

/** Whether an identifier contains a name (`jane2`, `annaSmith`) or is one (`deSilva`, `vanDyke`). */
const containsName = (identifier: string): boolean => {
  if (isNonName(identifier)) return false
  const [, letters = ''] = /^_*(\p{L}+)\d+_*(?:['’]|$)/u.exec(identifier) ?? []
  if (letters !== '' && isKnownName(letters.toLowerCase())) return true
  const [, surname = ''] = particle.exec(identifier) ?? []
  if (surname !== '' && (!isCommon(surname.toLowerCase()) || isKnownName(surname.toLowerCase()))) return true
  const parts = identifier.match(/\p{Lu}?\p{Ll}+|\p{Lu}+/gu) ?? []
  return parts.some((part) => {
    const lower = part.toLowerCase()
    return lower.length > 2 && !isCommon(lower) && isKnownName(lower)
  })
}

const particle =
  /^(?:de|del|della|di|da|dos|du|la|le|van|von|vander|vanden|ter|ten|zu|al|el|bin|ibn|fitz|mac|mc|st)(\p{Lu}\p{Ll}\p{L}*)$/u

/** Whether a word is code: in back quotes, a function, or a generic type. Findings of models in it do not count. */
const isCode = (text: string, start: number, word: string): boolean => {
  const next = text[start + word.length] ?? ''
  return next === '(' || next === '<' || (next === '`' && text[start - 1] === '`')
}

/** Whether a word is the key of a value: `"price": 1`, `price=1`. */
const isKey = (text: string, start: number, word: string): boolean => {
  const after = text.slice(start + word.length, start + word.length + 3)
  return /^=[^\s=]?/.test(after) || (/["']/.test(text[start - 1] ?? '') && /^["']\s?:/.test(after))
}
