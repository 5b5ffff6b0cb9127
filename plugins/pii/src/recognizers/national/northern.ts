import { luhn } from '../../checksums/index.js'
import { digitsOf, isDay, two, weighted } from '../../checksums/digits.js'
import { inContext, nationalId } from './entry.js'

const isSwedish = (match: string): boolean => {
  const digits = match.replace(/\D/g, '').slice(-10)
  const day = two(digits, 4)
  return isDay(two(digits, 0), two(digits, 2), day > 60 ? day - 60 : day) && luhn(digits)
}

const isNorwegian = (match: string): boolean => {
  const digits = digitsOf(match)
  const isRight = [
    [3, 7, 6, 1, 8, 9, 4, 5, 2, 1],
    [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1],
  ].every((weights) => weighted(digits, weights) % 11 === 0)
  const text = digits.join('')
  return isRight && isDay(two(text, 4), two(text, 2) % 40, two(text, 0) % 40)
}

const isFinnish = (match: string): boolean => {
  const text = match.toUpperCase()
  const check = '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(text.slice(0, 6) + text.slice(7, 10)) % 31]
  return text.at(-1) === check && isDay(two(text, 4), two(text, 2), two(text, 0))
}

/** Numbers of 2007 and later have no check digit. */
const isDanish = (match: string): boolean => {
  const text = match.replace(/\D/g, '')
  return isDay(two(text, 4), two(text, 2), two(text, 0))
}

/** Of Estonia and Lithuania. */
const isBaltic = (match: string): boolean => {
  const digits = digitsOf(match)
  const rest = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const second = weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  const check = rest < 10 ? rest : second % 10
  const text = digits.join('')
  return check === digits[10] && isDay(two(text, 1), two(text, 3), two(text, 5))
}

const isLatvian = (match: string): boolean => {
  const digits = digitsOf(match)
  const text = digits.join('')
  if (text.startsWith('3')) return true
  const check = ((1101 - weighted(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10
  return check === digits[10] && isDay(two(text, 4), two(text, 2), two(text, 0))
}

/** Of a birth date. */
const dayMonth = '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])'
const baltic = '[1-6]\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{4}'

export const northern = [
  nationalId({
    entity: 'SE_PERSONNUMMER',
    shapes: {
      '(?:19|20)?\\d{2}(?:0[1-9]|1[0-2])\\d{2}[-+]\\d{4}': 0.85,
      '(?:19|20)?\\d{2}(?:0[1-9]|1[0-2])\\d{6}': inContext,
    },
    validate: isSwedish,
    context: ['personnummer', 'personal number', 'samordningsnummer'],
    examples: ['880320-0016', '19880320-0016', 'personnummer 8803200016'],
    counterExamples: ['880320-0018', '889920-0016', '8803200016'],
  }),
  nationalId({
    entity: 'NO_FODSELSNUMMER',
    shapes: { '[0-7]\\d(?:0[1-9]|1[0-2])\\d{2} \\d{5}': 0.8, '[0-7]\\d(?:0[1-9]|1[0-2])\\d{7}': 0.5 },
    validate: isNorwegian,
    context: ['fødselsnummer', 'personnummer', 'd-nummer'],
    examples: ['15108695088', '151086 95088'],
    counterExamples: ['15108695077', '151086 95089'],
  }),
  nationalId({
    entity: 'FI_PERSONAL_IDENTITY_CODE',
    shapes: { [`${dayMonth}\\d{2}[-+a-fu-y]\\d{3}[\\da-fhj-npr-y]`]: 0.9 },
    validate: isFinnish,
    context: ['henkilötunnus', 'hetu', 'personbeteckning'],
    examples: ['311280-888Y', '131052A308T', 'hetu 311280-888X'],
    counterExamples: ['311280-888X', '311380-888Y'],
  }),
  nationalId({
    entity: 'DK_CPR',
    shapes: { [`${dayMonth}\\d{2}-\\d{4}`]: 0.55, [`${dayMonth}\\d{6}`]: inContext },
    validate: isDanish,
    context: ['cpr', 'personnummer'],
    examples: ['211062-5629', 'CPR-nummer 2110625629'],
    counterExamples: ['411062-5629', '2110625629'],
  }),
  nationalId({
    entity: 'EE_ISIKUKOOD',
    shapes: { [baltic]: 0.55 },
    validate: isBaltic,
    context: ['isikukood'],
    examples: ['37605030299'],
    counterExamples: ['37605030298', '37613030299'],
  }),
  nationalId({
    entity: 'LT_ASMENS_KODAS',
    shapes: { [baltic]: inContext },
    validate: isBaltic,
    context: ['asmens kodas'],
    examples: ['asmens kodas 38703181745'],
    counterExamples: ['38703181744'],
  }),
  nationalId({
    entity: 'LV_PERSONAS_KODS',
    shapes: { [`${dayMonth}\\d{2}-\\d{5}`]: 0.7 },
    validate: isLatvian,
    context: ['personas kods'],
    examples: ['161175-19997'],
    counterExamples: ['161375-19997', '161175-19996'],
  }),
]
