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

/** Dates, amounts and IP addresses, which are written alike. */
const otherFormat = /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,3}(?:[.,]\d{3})+|\d{1,3}(?:\.\d{1,3}){3})$/

const validate = (match: string): boolean => {
  if (otherFormat.test(match)) return false
  if (match.startsWith('+')) return isValidPhoneNumber(match) || isPossiblePhoneNumber(match)
  if (match.startsWith('00')) return isValidPhoneNumber(`+${match.slice(2)}`)
  return defaultCountries.some((country) => isValidPhoneNumber(match, country))
}

/** The characters that may be between two digits. */
const gap = String.raw`[ ().\-/]{0,3}`
const extension = String.raw`(?: ?(?:x|ext\.?|extension|#) ?\d{1,6})?`
/** Allows a number beside a comma, as in a list, only if it cannot be thousands or decimals. */
const besideComma = String.raw`(?:(?<!\d[,-])|(?=\+\d)|(?<!\d-)(?=\d{9}|\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}|0\d{1,4}[ /]\d))`
const before = String.raw`(?=[+(\d])(?<![\p{L}\p{N}_]|\d[.:]|[$€£#] ?|${beforeDecimals})${besideComma}`
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
  const isOther = otherFormat.test(match) || isDateTime(groups) || /^97[89]\d{10}$/.test(digits)
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

export const phone: Recognizer = {
  entity: 'PHONE_NUMBER',
  patterns: [
    { regex: phonePattern`\+\d(?:${gap}\d){6,14}`, score: 0.9 },
    { regex: phonePattern`00[1-9](?:${gap}\d){7,14}`, score: 0.75 },
    { regex: phonePattern`(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}`, score: 0.75 },
    { regex: phonePattern`(?=0(?:[ /-]?\d){8})0\d{1,4}(?:[ /-]\d{2,8}){1,4}`, score: 0.55 },
    { regex: phonePattern`${first}\(?\d(?:${gap}\d){6,14}`, score: 0.35 },
    {
      regex: raw.iu`${before}${first}[+(]?\d(?:${gap}\d){6,14}${extension}(?<trail>[ \t]{1,3}\(?(?:office|fax|mobile|cell|home|work|direct)(?!\p{L}))`,
      score: 0.75,
      unchecked: true,
    },
    { regex: afterPhoneWord, score: 0.75 },
    { regex: introducedNumber, score: 0.75, mayFollow: introducesPhone, within: wholeIf(isInGroups) },
  ],
  validate,
  context: wordsOf(...Object.values(data.context)),
  otherContext: wordsOf(...data.otherContext),
  examples: data.examples,
  counterExamples: data.counterExamples,
}
