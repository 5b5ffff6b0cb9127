import { isPossiblePhoneNumber, isValidPhoneNumber } from 'libphonenumber-js/max'
import { wordsOf } from '../words/lists.js'
import { beforeDecimals } from '../patterns/beside.js'
import { wholeIf } from '../patterns/spread.js'
import type { Pattern, Recognizer } from './recognizer.js'
import data from './phone.json' with { type: 'json' }

/** Countries whose numbers are known without the country's code. */
export const countries = ['US', 'GB', 'DE', 'FR', 'ES', 'IT'] as const

/** Other numbers that are written like this. */
const looksOtherwise = /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,3}(?:[.,]\d{3})+|\d{1,3}(?:\.\d{1,3}){3})$/

const validate = (match: string): boolean => {
  if (looksOtherwise.test(match)) return false
  if (match.startsWith('+')) return isValidPhoneNumber(match) || isPossiblePhoneNumber(match)
  if (match.startsWith('00')) return isValidPhoneNumber(`+${match.slice(2)}`)
  return countries.some((country) => isValidPhoneNumber(match, country))
}

/** What may stand between two digits. */
const gap = String.raw`[ ().\-/]{0,3}`
const extension = String.raw`(?: ?(?:x|ext\.?|extension|#) ?\d{1,6})?`
/** Beside a comma, in a row of other numbers, what cannot be thousands or decimals. */
const inRow = String.raw`(?:(?<!\d[,-])|(?=\+\d)|(?<!\d-)(?=\d{9}|\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}|0\d{1,4}[ /]\d))`
const before = String.raw`(?=[+(\d])(?<![\p{L}\p{N}_]|\d[.:]|[$€£#] ?|${beforeDecimals})${inRow}`
const after = String.raw`(?![\p{L}\p{N}_]|[.:/-]\d)(?:(?!,\d)|(?<=\d{9}|[ )-]\d{4}))`

/** Not in the middle of a row of digits. */
const first = String.raw`(?<!\d[ ().\-/]{1,2})`

const phonePattern = (body: string) => new RegExp(before + body + extension + after, 'iu')

/** Written to a word that tells. */
const glued = new RegExp(
  String.raw`(?<=(?<![\p{L}\p{N}])(?:tel|telephone|telefono?|fon|phone|mobile?|mob|cell|handy|fax|whatsapp|sms|call))[+(]?\d(?:${gap}\d){6,14}(?![\p{L}\p{N}_]|[.:/-]\d)`,
  'iu',
)

/**
 * What a number is given as that is a telephone number, though no word says so; `*` is a word that tells which one of
 * somebody's it is, and none that says that it is another number.
 */
const phrases = wordsOf(...data.givenNumbers).flatMap((phrase) =>
  phrase.includes('*') ? wordsOf(data.kinds).map((kind) => phrase.replace('*', kind)) : [phrase],
)
/** What asks to be reached there: an address may follow as well. */
const reachedAt = wordsOf(...data.reachedAt)
const isSaid =
  / ?(?: is| are| was|[’']s| would be| ist| lautet| es| est le| est| è| é| är| er| to| je| este| є| هو| הוא| है| là| adalah|是|为|為|は|는|은)$/
const reached = /(?::| (?:at|on|via|under|unter|al|en|au|a|pelo|no|op|på|pod|na|la|по|за))$/
const signs = /[\s:=,"'\x60*–—-]{0,4}$/

/** Not in the middle of a word of Latin letters. */
const endsWithOneOf = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.endsWith(word) && !/[a-z\d]/.test(text.charAt(text.length - word.length - 1)))

/**
 * Whether what stands before a number gives it as one of a telephone. A pattern that says so takes so much code that V8
 * compiles no others.
 */
const isGiven: NonNullable<Pattern['given']> = (before) => {
  const text = before.toLowerCase().replaceAll('\n', ' ')
  const said = text.replace(signs, '')
  const asked = text.replace(/[\s"'\x60*]{0,4}$/, '')
  return (
    endsWithOneOf(said.replace(isSaid, ''), phrases) ||
    (reached.test(asked) && endsWithOneOf(asked.replace(reached, ''), reachedAt))
  )
}
const given = new RegExp(String.raw`(?=[+(\d])(?<![a-zA-Z\d])[+(]?\d(?:${gap}\d){6,14}(?![a-zA-Z\d_]|[.:/-]\d)`, 'u')

/** Groups of digits as people write them: no decimals, no date, no number of a book. */
const isInGroups = (match: string): boolean => {
  const groups = match.match(/\d+/g) ?? []
  const digits = groups.join('')
  const isRow = groups.length === 1 && digits.length > 8
  const isParted = groups.length > 1 && groups.every(({ length }) => length < 9) && !/^\d+\.\d+$/.test(match)
  const isOther = looksOtherwise.test(match) || isDate(groups) || /^97[89]\d{10}$/.test(digits)
  return (isRow || isParted) && !isOther
}

/** Day, month and year in either order, and perhaps the hour. */
const isDate = (groups: readonly string[]): boolean => {
  const [first = '', month = '', last = '', hour, ...others] = groups
  const [year, day] = first.length === 4 ? [first, last] : [last, first]
  const isDay = /^(?:19|20)\d\d$/.test(year) && /^\d{1,2}$/.test(month) && /^\d{1,2}$/.test(day)
  const isHour = hour === undefined || /^(?:[01]\d|2[0-3])[0-5]\d$/.test(hour)
  return isDay && Number(month) <= 12 && Number(day) <= 31 && isHour && !others.length
}

export const phone: Recognizer = {
  entity: 'PHONE_NUMBER',
  patterns: [
    { regex: phonePattern(String.raw`\+\d(?:${gap}\d){6,14}`), score: 0.9 },
    { regex: phonePattern(String.raw`00[1-9](?:${gap}\d){7,14}`), score: 0.75 },
    { regex: phonePattern(String.raw`(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[ .-]\d{4}`), score: 0.75 },
    { regex: phonePattern(String.raw`(?=0(?:[ /-]?\d){8})0\d{1,4}(?:[ /-]\d{2,8}){1,4}`), score: 0.55 },
    { regex: phonePattern(String.raw`${first}\(?\d(?:${gap}\d){6,14}`), score: 0.35 },
    {
      regex: new RegExp(
        String.raw`${before}${first}[+(]?\d(?:${gap}\d){6,14}${extension}(?<trail>[ \t]{1,3}\(?(?:office|fax|mobile|cell|home|work|direct)(?!\p{L}))`,
        'iu',
      ),
      score: 0.75,
      unchecked: true,
    },
    { regex: glued, score: 0.75 },
    { regex: given, score: 0.75, given: isGiven, within: wholeIf(isInGroups) },
  ],
  validate,
  context: wordsOf(...Object.values(data.context)),
  otherContext: wordsOf(...data.otherContext),
  examples: data.examples,
  counterExamples: data.counterExamples,
}
