import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/max'
import { wordsOf } from '../words/lists.js'
import { beforeDecimals } from '../patterns/boundaries.js'
import { wholeIf } from '../patterns/spread.js'
import { raw } from '../patterns/raw-regex.js'
import type { Template } from '../patterns/raw-regex.js'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './phone.json' with { type: 'json' }

/** Countries whose numbers are recognised without a calling code. */
export const defaultCountries = ['US', 'GB', 'DE', 'FR', 'ES', 'IT'] as const

/** Dates, amounts and local numbers, which are written alike. */
const otherFormat = /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,3}(?:[.,]\d{3})+)$/

const validate = (match: string): boolean => {
  if (otherFormat.test(match)) return false
  if (match.startsWith('+')) return isValidPhoneNumber(match) || isPossiblePhoneNumber(match)
  if (match.startsWith('00')) return isValidPhoneNumber(`+${match.slice(2)}`)
  return defaultCountries.some((country) => isValidPhoneNumber(match, country))
}

const year = String.raw`(?:1[89]|20)\d\d`
/** Numbers that are no telephone numbers whatever the words around them say. */
const otherNumbers = [
  String.raw`${year}(?:[ -]{0,3}${year}){1,4}`,
  String.raw`${year}[./-](?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|[12]\d|3[01])(?:[ -]{1,3}\d{1,2})?`,
  String.raw`\d{1,4}[./]\d{1,2}[./]\d{1,4}`,
  // A volume with a year and pages: 116 (2004) 281-297.
  String.raw`[\d ./-]{0,12}\(${year}[-)][\d ./()-]{0,16}`,
  // Decimals and identifiers of preprints, alone or in a row.
  String.raw`(?:\d{1,9} {1,3}){0,4}[1-9]\d{0,3}\.\d{4,16}`,
  String.raw`(?:\d{1,4}\.\d{1,8} {1,3}){1,5}\d{1,4}(?:\.\d{1,8})?`,
  String.raw`\d{4}\.\d{4,5}`,
  String.raw`\d{1,3}(?:\.\d{1,3}){3}`,
  // The registry number of a chemical.
  String.raw`\d{2,7}-\d\d-\d`,
  // ISBN, with and without its prefix.
  String.raw`97[89](?:-?\d){10}|(?=(?:-?\d){10}$)\d-\d{2,7}-\d{1,6}-\d`,
  // A row of a table or the number of a card: a telephone number has 15 digits at most (ITU-T E.164).
  String.raw`\d{4}(?: \d{4}){3,}`,
  // Columns and alternatives.
  String.raw`[1-9]\d*(?: {2,3}\d+)+|\d+(?: ?/ ?\d+){2,6}`,
  // A latitude and a longitude (ISO 6709).
  String.raw`\+\d{4}(?:\d\d)?[+-][01]\d{4}(?:\d\d)?|\d{4}(?:\d\d)?-0\d{4}(?:\d\d)?`,
  String.raw`\+\d{1,3} {1,3}-.{1,40}|[^(+][^(]*\([^)]*`,
]
const otherNumber = new RegExp(`^(?:${otherNumbers.join('|')})$`)

const isOtherNumber = (match: string): boolean => otherNumber.test(match.replace(/^\((?=[^)]*$)/, ''))

/** The characters that may be between two digits. */
const gap = String.raw`[ ().\-/]{0,3}`
const extension = String.raw`(?: ?(?:x|ext\.?|extension|#) ?\d{1,6})?`
/** Allows a number beside a comma, as in a list, only if it cannot be thousands or decimals. */
const besideComma = String.raw`(?:(?<!\d[,-])|(?=\+\d)|(?<!\d-)(?=\d{9}|\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}|0\d{1,4}[ /]\d))`
/** Where other numbers stand that are written alike. */
const otherPlace = [
  // A zip code after the name of a state.
  String.raw`(?<=,[^\p{L}\p{N}]{1,16}\p{L}{2}\.?[^\p{L}\p{N}]{1,24})\d{5}-\d{4}(?!\d)`,
  // A part of a path: help/shared/02/10090000.html
  String.raw`(?<=/[\p{L}\p{N}_.%-]{1,40}/)\d`,
  // CVE-2012-0215
  String.raw`(?<=\p{L}-)(?:19|20)\d\d-\d`,
  // A latitude without its sign.
  String.raw`(?<=[+-])\d{4}-[01]\d{4}(?!\d)`,
  // A dump of bytes, a fingerprint, a row of code points.
  String.raw`(?:\d\d ){1,8} ?(?:\d[a-f]|[a-f]\d)(?![\p{L}\p{N}])|(?:\d\d {1,2}){5,8}(?:\d\d|[a-f]{2})(?![\p{L}\p{N}])`,
  String.raw`(?<=(?<![\p{L}\p{N}])(?:[a-f\d]{4} {1,2}(?=\d{0,3}[a-f])[a-f\d]{4}|[a-f\d]{2} (?:\d[a-f]|[a-f]\d)) {1,2})\d`,
  String.raw`(?<=(?<![\p{L}\p{N}])[a-f\d]{4}; {1,2})\d{4} \d{4}`,
  String.raw`(?<=(?<![\p{L}\p{N}])(?:${data.otherNumbers}) {0,2}(?:no\.?|nos\.?|number|nr\.?|#)?[:.]?\s{0,2})\d`,
].join('|')
const before = String.raw`(?=[+(\d])(?<![\p{L}\p{N}_%]|\d[.:]|\d/(?=[\d(])|[$€£#] ?|${beforeDecimals})(?!${otherPlace})${besideComma}`
const after = String.raw`(?![\p{L}\p{N}_]|[.:/-]\d)(?:(?!,\d)|(?<=\d{9}|[ )-]\d{4}))`

/** A place that no digit precedes. */
const first = String.raw`(?<!\d[ ().\-/]{1,2})`

const phonePattern = (...body: Template) => raw.iu`${before}${String.raw(...body)}${extension}${after}`

/** A number right after a word for telephone, without a space. */
const afterPhoneWord = raw.iu`(?<=(?<![\p{L}\p{N}])(?:tel|telephone|telefono?|fon|phone|mobile?|mob|cell|handy|fax|whatsapp|sms|call))[+(]?\d(?:${gap}\d){6,14}(?![\p{L}\p{N}_]|[.:/-]\d)`

/** Phrases that introduce a telephone number; `*` is replaced by each word for a kind, such as `home`. */
const phrases = wordsOf(...data.givenNumbers).flatMap((phrase) =>
  phrase.includes('*') ? wordsOf(data.kinds).map((kind) => phrase.replace('*', kind)) : [phrase],
)
/** Phrases such as `reach me`, which an address may follow as well. */
const contactPhrases = wordsOf(...data.reachedAt)
const copula =
  / ?(?: is| are| was|[’']s| would be| ist| lautet| es| est le| est| è| é| är| er| to| je| este| є| هو| הוא| है| là| adalah|是|为|為|は|는|은)$/
const preposition = /(?::| (?:at|on|via|under|unter|al|en|au|a|pelo|no|op|på|pod|na|la|по|за))$/
const punctuation = /[\s:=,"'\x60*–—-]{0,4}$/

/** Whether a text ends with one of the words, but not within a longer word of Latin letters. */
const endsWithOneOf = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.endsWith(word) && !/[a-z\d]/.test(text.charAt(text.length - word.length - 1)))

/**
 * Whether the text before a number introduces it as a telephone number. As one regular expression, this would take so
 * much code that V8 would not optimise the others.
 */
const introducesPhone: NonNullable<Pattern['mayFollow']> = (before) => {
  const text = before.toLowerCase().replaceAll('\n', ' ')
  const lead = text.replace(punctuation, '')
  const unquoted = text.replace(/[\s"'\x60*]{0,4}$/, '')
  return (
    endsWithOneOf(lead.replace(copula, ''), phrases) ||
    (preposition.test(unquoted) && endsWithOneOf(unquoted.replace(preposition, ''), contactPhrases))
  )
}
const introducedNumber = raw.u`(?=[+(\d])(?<![a-zA-Z\d])[+(]?\d(?:${gap}\d){6,14}(?![a-zA-Z\d_]|[.:/-]\d)`

/** Groups of digits as people write them: no decimals, no date, no ISBN. */
const isInGroups = (match: string): boolean => {
  const groups = match.match(/\d+/g) ?? []
  const digits = groups.join('')
  const isPlainNumber = groups.length === 1 && digits.length > 8
  const isGrouped = groups.length > 1 && groups.every(({ length }) => length < 9) && !/^\d+\.\d+$/.test(match)
  const isOther = otherFormat.test(match) || isOtherNumber(match) || isDateTime(groups)
  return (isPlainNumber || isGrouped) && !isOther
}

/** Whether groups are day, month and year in either order, and perhaps a time. */
const isDateTime = (groups: readonly string[]): boolean => {
  const [first = '', month = '', last = '', time, ...others] = groups
  const [year, day] = first.length === 4 ? [first, last] : [last, first]
  const isDay = /^(?:19|20)\d\d$/.test(year) && /^\d{1,2}$/.test(month) && /^\d{1,2}$/.test(day)
  const isTime = time === undefined || /^(?:[01]\d|2[0-3])[0-5]\d$/.test(time)
  return isDay && Number(month) <= 12 && Number(day) <= 31 && isTime && !others.length
}

const anyNumber = phonePattern`${first}\(?\d(?:${gap}\d){6,14}`
const within = wholeIf((match) => !isOtherNumber(match))

export const phone: Recognizer = {
  entity: 'PHONE_NUMBER',
  patterns: [
    { regex: phonePattern`\+\d(?:${gap}\d){6,14}`, score: 0.9 },
    { regex: phonePattern`00[1-9](?:${gap}\d){7,14}`, score: 0.75 },
    { regex: phonePattern`(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}`, score: 0.75 },
    { regex: phonePattern`(?=0(?:[ /-]?\d){8})0\d{1,4}[ /-]\d{2,8}(?:[ -]\d{2,8}){0,3}`, score: 0.55 },
    { regex: anyNumber, score: 0.35 },
    {
      regex: raw.iu`${before}${first}[+(]?\d(?:${gap}\d){6,14}${extension}(?<trail>[ \t]{1,3}\(?(?:office|fax|mobile|cell|home|work|direct)(?!\p{L}))`,
      score: 0.75,
      unchecked: true,
    },
    { regex: afterPhoneWord, score: 0.75 },
    { regex: introducedNumber, score: 0.75, mayFollow: introducesPhone, within: wholeIf(isInGroups) },
  ],
  validate,
  within,
  context: wordsOf(...Object.values(data.context)),
  otherContext: wordsOf(...data.otherContext),
  examples: data.examples,
  counterExamples: data.counterExamples,
}

/** Valid numbers after words that are as often about something else: programs call, and cells are in tables. */
export const phoneAfterVagueWord: Recognizer = {
  entity: 'PHONE_NUMBER',
  kind: 'vague',
  patterns: [{ regex: anyNumber, score: 0.35 }],
  validate,
  within: wholeIf((match) => !/^\d{1,8}$/.test(match) && !isOtherNumber(match)),
  invalidInContext: false,
  context: wordsOf(data.weakContext),
  otherContext: wordsOf(...data.otherContext),
  examples: ['call Jane at 212 555 0123', 'his mobile, which is off, 2125550123'],
  counterExamples: ['2125550123', 'call 1998-2003', 'the call on 2011-09-14 took 1498 1498', 'Cell 116 (2004) 281-297'],
}
