import { mod1110 } from '../../checksums/index.js'
import { digitsOf, isDay, modulo, two, weighted } from '../../checksums/digits.js'
import { inContext, nationalId } from './entry.js'

const isPesel = (match: string): boolean =>
  weighted(digitsOf(match), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 &&
  isDay(two(match, 0), two(match, 2) % 20, two(match, 4))

/** Of Czechia and Slovakia; months of women are 50 ahead, and 20 more where numbers ran out. */
const isRodneCislo = (match: string): boolean => {
  const digits = match.replace(/\D/g, '')
  const check = Number(digits.slice(0, 9)) % 11
  return isDay(two(digits, 0), (two(digits, 2) % 50) % 20, two(digits, 4)) && check % 10 === Number(digits[9])
}

const isCnp = (match: string): boolean => {
  const digits = digitsOf(match)
  const check = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return (check === 10 ? 1 : check) === digits[12] && isDay(two(match, 1), two(match, 3), two(match, 5))
}

const isEgn = (match: string): boolean => {
  const digits = digitsOf(match)
  const check = (weighted(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10
  return check === digits[9] && isDay(two(match, 0), two(match, 2) % 20, two(match, 4))
}

const isJmbg = (match: string): boolean => {
  const digits = digitsOf(match)
  const rest = 11 - (weighted(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)
  return (rest > 9 ? 0 : rest) === digits[12] && isDay(two(match, 5), two(match, 2), two(match, 0))
}

const isHungarian = (match: string): boolean => {
  const digits = digitsOf(match)
  return digits[0] === 8 && weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === digits[9]
}

const isTurkish = (match: string): boolean => {
  const digits = digitsOf(match)
  const odd = weighted(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1])
  const even = weighted(digits, [0, 1, 0, 1, 0, 1, 0, 1])
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return tenth === digits[9] && (odd + even + tenth) % 10 === digits[10]
}

const isInn = (match: string): boolean => {
  const digits = digitsOf(match)
  const check = (weights: readonly number[]) => (weighted(digits, weights) % 11) % 10
  return (
    check([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[10] && check([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === digits[11]
  )
}

const isSnils = (match: string): boolean => {
  const digits = match.replace(/\D/g, '')
  return (weighted(digitsOf(digits), [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === modulo(digits.slice(9), 100)
}

export const eastern = [
  nationalId({
    entity: 'PL_PESEL',
    shapes: { '\\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\\d|3[01])\\d{5}': 0.55 },
    validate: isPesel,
    context: ['pesel', 'песель'],
    examples: ['44051401359', 'PESEL 44051401358'],
    counterExamples: ['44051401358', '44053301359'],
  }),
  nationalId({
    entity: 'CZ_SK_RODNE_CISLO',
    shapes: { '\\d{6}/\\d{4}': 0.85, '\\d{10}': inContext },
    validate: isRodneCislo,
    context: ['rodné číslo', 'rodného čísla', 'rodným číslem', 'rč'],
    examples: ['710319/2745', 'rodné číslo 7103192745'],
    counterExamples: ['710319/2746', '713319/2745'],
  }),
  nationalId({
    entity: 'RO_CNP',
    shapes: { '[1-8]\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{6}': 0.55 },
    validate: isCnp,
    context: ['cnp', 'cod numeric personal'],
    examples: ['1630615123457'],
    counterExamples: ['1630615123458', '1631315123457'],
  }),
  nationalId({
    entity: 'BG_EGN',
    shapes: { '\\d{10}': inContext },
    validate: isEgn,
    context: ['egn', 'егн', 'единен граждански'],
    examples: ['EGN 7523169263', 'ЕГН: 7523169263'],
    counterExamples: ['7523169263', '7523169260'],
  }),
  nationalId({
    entity: 'HR_OIB',
    shapes: { '\\d{11}': inContext },
    validate: mod1110,
    context: ['oib', 'osobni identifikacijski'],
    examples: ['OIB 33392005961', 'OIB 33392005960'],
    counterExamples: ['33392005961'],
  }),
  nationalId({
    entity: 'SI_RS_JMBG',
    shapes: { '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])[09]\\d{8}': 0.55 },
    validate: isJmbg,
    context: ['jmbg', 'јмбг', 'emšo'],
    examples: ['0101006500006'],
    counterExamples: ['0101006500007', '4501006500006'],
  }),
  nationalId({
    entity: 'HU_TAX_ID',
    shapes: { '8\\d{9}': inContext },
    validate: isHungarian,
    context: ['adóazonosító'],
    examples: ['adóazonosító jel 8071592153'],
    counterExamples: ['8071592153'],
  }),
  nationalId({
    entity: 'TR_KIMLIK',
    shapes: { '[1-9]\\d{10}': 0.5 },
    validate: isTurkish,
    context: ['kimlik', 'tckn', 't.c.'],
    examples: ['17291716060', 'TC kimlik no 17291716050'],
    counterExamples: ['17291716050', '07291716060'],
  }),
  nationalId({
    entity: 'RU_INN',
    shapes: { '\\d{12}': inContext },
    validate: isInn,
    context: ['инн', 'inn', 'идентификационный номер налогоплательщика'],
    examples: ['ИНН 500100732259'],
    counterExamples: ['500100732259'],
  }),
  nationalId({
    entity: 'RU_SNILS',
    shapes: { '\\d{3}-\\d{3}-\\d{3} \\d{2}': 0.85 },
    validate: isSnils,
    context: ['снилс', 'snils', 'страховой номер'],
    examples: ['112-233-445 95'],
    counterExamples: ['112-233-445 96'],
  }),
]
