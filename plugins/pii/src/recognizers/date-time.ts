import { isDate } from '../checksums/digits.js'
import { notBeforeBase64, notAfterBase64 } from '../patterns/boundaries.js'
import { raw } from '../patterns/raw-regex.js'
import { wordsOf } from '../words/lists.js'
import { relatives } from '../words/names.js'
import type { Recognizer } from './recognizer.js'
import data from './date-time.json' with { type: 'json' }

const birthWords = wordsOf(...data.birthWords)

const months =
  'jan(?:uary|uar|vier)?|f[eé]b(?:ruary|ruar|rero|braio)?|février|mar(?:ch|zo|s)?|märz|apr(?:il|ile)?|avril|abril|may|mai|mayo|maggio|june?|juni|junio|giugno|juin|july?|juli|julio|luglio|juillet|aug(?:ust)?|août|agosto|sep(?:t|tember|tiembre|tembre)?|settembre|o[ck]t(?:ober|ubre)?|octobre|ottobre|nov(?:ember|iembre|embre)?|de[cz](?:ember)?|diciembre|dicembre|décembre'
const weekdays = 'mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?'
const weekday = String.raw`(?:(?:${weekdays})\.?,? {1,2})?`
const time = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?: ?[ap]\.?m\b\.?)?(?: ?(?:z|utc|gmt)\b|[+-]\d{2}:?\d{2})?`
const withTime = String.raw`(?:(?:,? (?:at )?|t)${time})?`
const before = String.raw`(?<![\p{L}\p{N}]|\d[.,:/-])`
const after = String.raw`(?![\p{L}\p{N}]|[/:-]\d|[.,]\d)`
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const year = String.raw`(?:19|20)\d{2}`

/** @param first the characters that a match may begin with, so that other places are rejected fast */
const pattern = (body: string, score: number, first?: string) => ({
  regex: new RegExp(`${first === undefined ? '' : `(?=[${first}])`}${before}${body}${after}`, 'iu'),
  score,
})
const dayFirst = String.raw`\dfmstw`

/** Whether three numbers can be a date in any order that is in use. */
const validate = (match: string): boolean | undefined => {
  const [, a = '', b = '', c = ''] = /^\D{0,12}(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})(?!\d)/.exec(match) ?? []
  if (!c) return undefined
  const [first, second, third] = [Number(a), Number(b), Number(c)]
  if (a.length > 2) return isDate(first, second, third)
  return isDate(third, first, second) || isDate(third, second, first) || (c.length < 3 && isDate(first, second, third))
}

export const dateTime: Recognizer = {
  entity: 'DATE_TIME',
  patterns: [
    pattern(String.raw`${weekday}${year}[-/.](?:0?[1-9]|1[0-2])[-/.]${day}${withTime}`, 0.9, dayFirst),
    pattern(String.raw`${weekday}${day}/${day}/(?:${year}|\d{2})${withTime}`, 0.85, dayFirst),
    pattern(String.raw`${weekday}${day}[-.]${day}[-.](?:${year})${withTime}`, 0.85, dayFirst),
    pattern(String.raw`${day}\.(?:0?[1-9]|1[0-2])\.\d{2}`, 0.55),
    pattern(String.raw`${day}/${day}`, 0.2),
    pattern(
      String.raw`${weekday}${day}(?:st|nd|rd|th|\.)?(?: of| de)?[ -](?:${months})(?:\.?,?(?: de)?[ -]\d{4})?${withTime}`,
      0.85,
      dayFirst,
    ),
    pattern(String.raw`${weekday}(?:${months})\.? ${day}(?:st|nd|rd|th)?(?:,? \d{4})?${withTime}`, 0.85, 'adfjmnostw'),
    pattern(
      String.raw`(?:january|february|march|april|june|july|august|september|october|november|december),? ${year}`,
      0.7,
      'adfjmnos',
    ),
    pattern(time, 0.3),
    pattern(String.raw`${notAfterBase64}(?:[01]?\d|2[0-3])(?::[0-5]\d)? ?[ap]\.?m\.?${notBeforeBase64}`, 0.6),
  ],
  validate,
  invalidInContext: false,
  ...data.dateTime,
  context: [...birthWords, ...data.dateTime.context],
}

/** Whether three numbers are a date, in any order that is in use. */
const isAnyDate = ([first = '', second = '', third = '']: readonly string[]): boolean => {
  const [a, b, c] = [Number(first), Number(second), Number(third)]
  if (first.length > 2) return isYear(first) && third.length <= 2 && isDate(a, b, c)
  if (third.length === 3) return false
  return isYear(third) && (isDate(c, b, a) || isDate(c, a, b) || (third.length < 3 && isDate(a, b, c)))
}

const isYear = (digits: string): boolean => digits.length === 2 || /^(?:19|20)\d{2}$/.test(digits)

const compact = [/^(\d{4})(\d{2})(\d{2})$/, /^(\d{2})(\d{2})(\d{4}|\d{2})$/]

const validateBirth = (match: string): boolean | undefined => {
  if (/\p{L}/u.test(match)) return isYear(/\d+$/.exec(match)?.[0] ?? '') ? undefined : false
  const numbers = match.match(/\d+/g) ?? []
  if (numbers.length === 3) return isAnyDate(numbers)
  return compact.some((shape) => isAnyDate(shape.exec(match)?.slice(1) ?? ['0', '0', '0']))
}

/** Any word, as months have many names. */
const month = String.raw`(?:of |de |d')?\p{L}\p{Ll}{2,11}`

/** Dates of birth, which only context words distinguish from other numbers. */
export const birthDate: Recognizer = {
  entity: 'DATE_TIME',
  kind: 'birth',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}]|\d[.,:/-])(?:\d{8}|\d{6}|\d{1,4}(?:[ /-]|\. ?)\d{1,2}(?:[ /-]|\. ?)\d{2,4})(?![\p{L}\p{N}]|[.,:/-]\d)/u,
      score: 0.1,
    },
    {
      regex: raw.u`(?<![\p{L}\p{N}]|\d[.,:/-])\d{1,2}(?:st|nd|rd|th|er|º|\.)?[ -](?:${month}\.?,?(?: de)?[ -]\d{4}|\p{Lu}\p{Ll}{2,11}\.?,?[ -]'?\d{2})(?![\p{L}\p{N}]|[.,:/-]\d)`,
      score: 0.1,
    },
  ],
  validate: validateBirth,
  invalidInContext: false,
  ...data.birthDate,
  context: birthWords,
}

export const years = String.raw`(?:1[01]\d|[1-9]\d?)`
/** No unit, decimals or noun follow; as the ends of clauses, some words may. */
export const clauseEnd = String.raw`(?![\p{L}\p{N}%°+]|[.,:/-]\d| ?[%°€$£]| (?!(?:and|but|when|now|today|tomorrow|yesterday|last|next|this|in|on)(?!\p{L}))\p{L})`
export const isAged = String.raw`(?:['’]m|['’]s| am| is| was| were) (?:now |only |just |already |almost )?`

export const age: Recognizer = {
  entity: 'AGE',
  patterns: [
    {
      regex:
        /(?<![\p{L}\p{N}]|\d[.,:-])(?:1[01]\d|\d{1,2})(?:[ -](?:years?|yrs?|months?)[ -](?:olds?|of age)|[ -]?(?:y\/o|y\.o\.?|yo))(?![\p{L}\p{N}])/iu,
      score: 0.6,
    },
    // News give ages behind names: `Anna Thornton (43) said`, `John Miller, 43, of Leeds`.
    {
      regex:
        /(?<=\p{Lu}[\p{Ll}.]{1,20} \p{Lu}[\p{L}'’-]{1,24})(?<lead>, | \()[1-9]\d(?<trail>(?:\)|,) (?:said|says|told|who|was|is|of|from|has|had|died|lives|lived|works|worked)(?!\p{L}))/u,
      score: 0.6,
    },
    {
      regex: raw.iu`(?<![\p{L}\p{N}_-])(?<lead>(?:${data.ageWords.join('|')})["']?(?: of)? {0,2}[:=|]? {0,2}["']?)${years}(?![\p{L}\p{N}%]|[.,:/-]\d| (?:days?|hours?|minutes?|seconds?|weeks?)(?!\p{L}))`,
      score: 0.55,
    },
    {
      regex: raw.u`(?<!\p{L})(?<lead>(?:I|[Hh]e|[Ss]he|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir) (?:${relatives}))${isAged})${years}${clauseEnd}`,
      score: 0.6,
    },
    { regex: raw.u`(?<!\p{L})(?<lead>turn(?:ed|s|ing)? )${years}${clauseEnd}`, score: 0.6 },
    { regex: raw.u`(?<lead>${isAged})${years}(?= when (?:I|he|she|we|they|my|his|her)(?!\p{L}))`, score: 0.6 },
    {
      regex: raw.u`(?<!\p{L})(?<lead>At )[1-9]\d(?=, (?:he|she|I|(?:\p{Lu}[\p{L}.'’-]{0,30} ){1,3}(?:had|was|is|became|still|won|left|moved|married|lost|began|started|took|went))(?!\p{L}))`,
      score: 0.6,
    },
    {
      regex: raw.u`(?<!\p{L})(?<lead>(?:died|passed away|retired|married)(?: (?:on|in) [\p{L}\p{N} ,]{2,24})? at |joined \p{Lu}[\p{L}\p{N} .&-]{1,40}? at )${years}${clauseEnd}`,
      score: 0.6,
    },
  ],
  ...data.age,
}
