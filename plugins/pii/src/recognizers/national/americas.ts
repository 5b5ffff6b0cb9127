import { luhn } from '../../checksums/index.js'
import { digitsOf, isDay, sameDigits, two, weighted } from '../../checksums/digits.js'
import { inContext, nationalId } from './entry.js'

const isCpf = (match: string): boolean => {
  const digits = digitsOf(match)
  const check = (weights: readonly number[]) => ((weighted(digits, weights) * 10) % 11) % 10
  return (
    !sameDigits(match) &&
    check([10, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[9] &&
    check([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[10]
  )
}

const isCuit = (match: string): boolean => {
  const digits = digitsOf(match)
  const check = (11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return (check === 10 ? 9 : check) === digits[10]
}

const isRut = (match: string): boolean => {
  const text = match.replace(/[^\dk]/gi, '').toUpperCase()
  const digits = digitsOf(text.slice(0, -1)).reverse()
  const rest = 11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 2, 3]) % 11)
  return text.at(-1) === (rest === 11 ? '0' : rest === 10 ? 'K' : String(rest))
}

const curpAlphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

const isCurp = (match: string): boolean => {
  const text = match.toUpperCase()
  const sum = Array.from(text.slice(0, 17)).reduce(
    (total, character, index) => total + curpAlphabet.indexOf(character) * (18 - index),
    0,
  )
  return Number(text[17]) === (10 - (sum % 10)) % 10 && isDay(two(text, 4), two(text, 6), two(text, 8))
}

export const americas = [
  nationalId({
    entity: 'BR_CPF',
    shapes: {
      '\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}': 0.9,
      '\\d{3}[ ./-]\\d{3}[ ./-]\\d{3}[ ./-]\\d{2}': 0.6,
      '\\d{11}': inContext,
    },
    validate: isCpf,
    context: ['cpf', 'cadastro de pessoas'],
    examples: ['390.533.447-05', '390 533 447 05', '390/533/447-05', 'CPF 39053344705', 'CPF: 390.533.447-06'],
    counterExamples: ['390.533.447-06', '390 533 447 06', '39053344705'],
  }),
  nationalId({
    entity: 'AR_CUIT',
    shapes: { '(?:2[03479]|3[034])-\\d{8}-\\d': 0.85, '(?:2[03479]|3[034])\\d{9}': inContext },
    validate: isCuit,
    context: ['cuit', 'cuil'],
    examples: ['20-05536168-2', 'CUIT 20055361682'],
    counterExamples: ['20-05536168-3', '20055361682'],
  }),
  nationalId({
    entity: 'CL_RUT',
    shapes: { '\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dk]': 0.85, '\\d{7,8}-[\\dk]': 0.5 },
    validate: isRut,
    context: ['rut', 'run', 'rol único'],
    invalidInContext: false,
    examples: ['12.531.909-2', '12531909-2'],
    counterExamples: ['12.531.909-3', '12531909-3'],
  }),
  nationalId({
    entity: 'MX_CURP',
    shapes: {
      '[a-z]{4}\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])[hmx][a-z]{2}[b-df-hj-np-tv-zñ]{3}[a-z\\d]\\d': 0.9,
    },
    validate: isCurp,
    context: ['curp'],
    examples: ['BOXW310820HNERXN09'],
    counterExamples: ['BOXW310820HNERXN08', 'BOXW311320HNERXN09'],
  }),
  nationalId({
    entity: 'CA_SIN',
    shapes: { '[1-79]\\d{2}[ -]\\d{3}[ -]\\d{3}': 0.4, '[1-79]\\d{8}': inContext },
    validate: (match) => luhn(match),
    context: ['sin', 'social insurance', 'assurance sociale'],
    examples: ['SIN 130 692 544', 'social insurance number: 130-692-545'],
    counterExamples: ['130 692 545', '130692544'],
  }),
]
