import { isCapitalised, isCommon, isFrequent } from '../words/common-words.js'
import { speaksOfSomebody } from './mistakes.js'
import { isKnownName } from '../words/names.js'
import { isNoName } from '../words/no-names.js'

/** Words, and what parts sentences. */
const token = /[\p{L}\p{M}\p{N}_]+(?:['’][\p{L}\p{M}]+)*|[.!?:…;|"“”()]/gu

/** Five digits may be an identifier. */
const identifier = /\d(?:[ -]?\d){4}/

/** Digits that are none: of days, of fractions, and of numbers that are the whole of a cell of a table or a list. */
const otherDigits =
  /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|(?<![\d.])-?\d{1,20}\.\d{1,24}(?![\d.])|(?<=[,;|\t\n[({] ?|["']: ?)-?\d{1,20}(?= ?[,;|\t\n\])}])/g

/** Whether a row of digits may be a number that is somebody's. */
const mayIdentify = (text: string): boolean =>
  identifier.test(text) && (speaksOfSomebody(text) || identifier.test(text.replace(otherDigits, '.')))

/** A number beside such a word may be an address. */
const addressed =
  /(?<!\p{L})(?:streets?|roads?|avenue|lane|drive|boulevard|floor|apartment|flat|suite|address|zip|box|rue|calle|via|rua|plaza|piazza)(?!\p{L})|stra(?:ß|ss)e|straat/iu

const titled =
  /(?<!\p{L})(?:mr|mrs|ms|mx|dr|prof|sir|herr|frau|mme|madame|monsieur|señora?|signora?)(?:\. {0,2}| {1,2})\p{L}/iu

/** Who is spoken of so may be called as things are. */
const related =
  /\b(?:met|(?:my|his|her|our|their|your) (?:\p{Ll}+ )?(?:son|daughter|child|kid|baby|wife|husband|partner|fiancée?|brother|sister|mother|father|mom|mum|dad|uncle|aunt|cousin|nephew|niece|friend|girlfriend|boyfriend|boss|colleague|neighbou?r|doctor|teacher|lawyer))\b/iu

/** What follows may be a word that is a name, too. */
const introduced = /\b(?:names?|named|called|call|meet|contact|dear|from|live[sd]?|living|moved|born)\b/iu

const heading = /^\s{0,8}(?:#{1,6} |\*{1,2}|[-•] |\d{1,3}[.)] )/u

/**
 * Whether a text may name a person or a place: it does not where it has nothing but common words, identifiers of
 * code and small numbers. Whatever is not known may.
 */
export const mayName = (text: string): boolean => {
  if (mayIdentify(text) || (/\d/.test(text) && addressed.test(text)) || titled.test(text)) return true
  const cased = /\p{Lu}\p{Ll}|\bI\b/u.test(text)
  const personal = related.test(text)
  const wary = !cased || introduced.test(text)
  return text.split('\n').some((line) => mayNameIn(line, { cased, wary, personal, heading: heading.test(line) }))
}

const mayNameIn = (line: string, place: Omit<Place, 'begins'>): boolean => {
  let begins = true
  for (const { 0: word, index } of line.matchAll(token)) {
    const parts = /^[^\p{L}\p{M}\p{N}_]/u.test(word)
    const wary = place.wary && !isKey(line, index, word)
    if (!parts && !isHarmless(word, { ...place, begins, wary }) && !isCode(line, index, word)) return true
    begins = parts
  }
  return false
}

interface Place {
  /** The first word of a sentence. */
  readonly begins: boolean
  /** Capitals may be those of a heading. */
  readonly heading: boolean
  /** Capitals may be those of somebody who is called as software is. */
  readonly personal: boolean
  /** Words that are names, too, are taken for names. */
  readonly wary: boolean
  /** Capitals mean something. */
  readonly cased: boolean
}

const isHarmless = (whole: string, place: Place): boolean => {
  const { begins, heading, wary, cased, personal } = place
  if (isIdentifier(whole)) return !holdsName(whole)
  const word = whole.replace(/^_+|_+$/g, '').replace(/(?:n['’]t|['’](?:s|re|ve|ll|d|m))$/iu, '')
  const parts = word.split(/['’]/)
  if (parts.length > 1) return parts.every((part) => isHarmless(part, place))
  const lower = word.toLowerCase()
  if (lower === word) return isLowerWord(lower) && (!wary || isFrequent(lower) || !isKnownName(lower))
  if (word.length === 1) return true
  if (isCapitalised(word) || (!personal && isNoName(word))) return !isKnownName(lower)
  if (cased && /^\p{Lu}{2,5}$/u.test(word)) return !isKnownName(lower)
  if (!cased && /^\p{Lu}+$/u.test(word)) return isLowerWord(lower) && !isKnownName(lower)
  if (!begins && !heading) return false
  return isFrequent(lower) || (isLowerWord(lower) && !isKnownName(lower))
}

/** Letters alone stand for something; of "can't" and "won't", two are left. */
const isLowerWord = (word: string): boolean => word.length <= 1 || word === 'ca' || word === 'wo' || isCommon(word)

/** `getName`, `snake_case`, `MAX_SIZE`, `utf8`; `McName`, `_Name_` and `Name_Surname` are none. */
const isIdentifier = (word: string): boolean =>
  /\d|^\p{Ll}+\p{Lu}/u.test(word) || /^_?(?:\p{Ll}+_[\p{Ll}_]*|\p{Lu}+_[\p{Lu}_]*)$/u.test(word)

/** Written together with a name: `jane2`, `annaSmith`; `deSilva` and `vanDyke` are names. */
const holdsName = (identifier: string): boolean => {
  if (isNoName(identifier)) return false
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

/** A single word between back quotes, a function, a type with others: in these, nothing that models find counts. */
const isCode = (text: string, start: number, word: string): boolean => {
  const next = text[start + word.length] ?? ''
  return next === '(' || next === '<' || (next === '`' && text[start - 1] === '`')
}

/** `"price": 1`, `price=1` */
const isKey = (text: string, start: number, word: string): boolean => {
  const after = text.slice(start + word.length, start + word.length + 3)
  return /^=[^\s=]?/.test(after) || (/["']/.test(text[start - 1] ?? '') && /^["']\s?:/.test(after))
}
