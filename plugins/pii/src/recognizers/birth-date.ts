import { isDay } from '../checksums/digits.js'
import { birthWords } from './data/birth-words.js'
import type { Recognizer } from './recognizer.js'

/** Whether three numbers are a day, in any order that is in use. */
const isDate = ([first = '', second = '', third = '']: readonly string[]): boolean => {
  const [a, b, c] = [Number(first), Number(second), Number(third)]
  if (first.length > 2) return isYear(first) && third.length <= 2 && isDay(a, b, c)
  if (third.length === 3) return false
  return isYear(third) && (isDay(c, b, a) || isDay(c, a, b) || (third.length < 3 && isDay(a, b, c)))
}

const isYear = (digits: string): boolean => digits.length === 2 || /^(?:19|20)\d{2}$/.test(digits)

const compact = [/^(\d{4})(\d{2})(\d{2})$/, /^(\d{2})(\d{2})(\d{4}|\d{2})$/]

const validate = (match: string): boolean | undefined => {
  if (/\p{L}/u.test(match)) return isYear(/\d+$/.exec(match)?.[0] ?? '') ? undefined : false
  const numbers = match.match(/\d+/g) ?? []
  if (numbers.length === 3) return isDate(numbers)
  return compact.some((shape) => isDate(shape.exec(match)?.slice(1) ?? ['0', '0', '0']))
}

/** Any word, as months have many names; a capital tells one before two digits. */
const month = String.raw`(?:of |de |d')?\p{L}\p{Ll}{2,11}`

/** Dates as nothing but what is said before them tells them from other numbers. */
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
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}]|\d[.,:/-])\d{1,2}(?:st|nd|rd|th|er|º|\.)?[ -](?:${month}\.?,?(?: de)?[ -]\d{4}|\p{Lu}\p{Ll}{2,11}\.?,?[ -]'?\d{2})(?![\p{L}\p{N}]|[.,:/-]\d)`,
        'u',
      ),
      score: 0.1,
    },
  ],
  validate,
  invalidInContext: false,
  context: birthWords,
  examples: [
    'DOB 02011980',
    'date of birth 19800102',
    'born 02-01-80',
    'Geburtsdatum: 02011980',
    'd.o.b. 02 01 1980',
    'narozen 2. 1. 1980',
    'born [2 Jan 80] in',
    'geboren op 2 mei 1980',
    'ur. [2 stycznia 1980] w',
    'дата рождения 020180',
    'nascida em [2 de fevereiro de 1980].',
  ],
  counterExamples: [
    '02011980',
    'order 02011980',
    'DOB 99999999',
    'born in 1980',
    'born 5 minutes 30 seconds ago',
    'born 12 times 3000',
    'born with 6 of 10 toes',
    '2 Jan 80',
  ],
}
