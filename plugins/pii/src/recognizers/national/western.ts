import { maxOf } from '@sallyport/kit/lists'
import { mod1110, weightedSum } from '../../checksums/index.js'
import { digitsOf, modulo, sameDigits, two, weighted } from '../../checksums/digits.js'
import { inContext, nationalId } from './entry.js'

const nifLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

const isNif = (match: string): boolean => {
  const text = match.replace(/[^a-z\d]/gi, '').toUpperCase()
  const number = text.slice(0, -1).replace(/^[XYZKLM]/, (letter) => String(Math.max(0, 'XYZ'.indexOf(letter))))
  return text.at(-1) === nifLetters[Number(number.replace(/\D/g, '')) % 23]
}

const isBsn = (match: string): boolean =>
  !sameDigits(match) && weighted(digitsOf(match), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0

const isBelgian = (match: string): boolean => {
  const digits = match.replace(/\D/g, '')
  const check = 97 - two(digits, 9)
  const isRight = [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((body) => modulo(body, 97) === check % 97)
  return isRight && two(digits, 2) % 20 <= 12 && two(digits, 4) <= 31
}

const isNir = (match: string): boolean => {
  const text = match.replace(/[^a-z\d]/gi, '').toUpperCase()
  const body = text.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return modulo(body, 97) === 97 - Number(text.slice(13))
}

const isTaxId = (match: string): boolean => {
  const digits = match.replace(/\D/g, '')
  const most = maxOf(Array.from(digits.slice(0, 10), (digit) => digits.slice(0, 10).split(digit).length - 1))
  return !digits.startsWith('0') && most >= 2 && most <= 3 && mod1110(digits)
}

const isAustrian = (match: string): boolean => {
  const digits = digitsOf(match)
  return weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digits[3] && digits[0] !== 0
}

const isAhv = weightedSum([1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1], 10)

const isPps = (match: string): boolean => {
  const text = match.toUpperCase()
  const second = text[8] ? 'WABCDEFGHI'.indexOf(text[8]) * 9 : 0
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) + second) % 23] === text[7]
}

const isPortuguese = (match: string): boolean => {
  const digits = digitsOf(match)
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (rest < 2 ? 0 : 11 - rest) === digits[8] && !sameDigits(match)
}

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

const isFiscalCode = (match: string): boolean => {
  const text = match.toUpperCase()
  const values = Array.from(text.slice(0, 15), (character) =>
    /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65,
  )
  const sum = values.reduce((total, value, index) => total + (index % 2 ? value : (oddValues[value] ?? 0)), 0)
  return text.charCodeAt(15) - 65 === sum % 26
}

export const western = [
  nationalId({
    entity: 'ES_NIF',
    shapes: { '\\d{8}[ -]?[a-hj-np-tv-z]': 0.6, '[klm]\\d{7}[a-hj-np-tv-z]': 0.5 },
    validate: isNif,
    context: ['nif', 'dni', 'documento nacional', 'identificación'],
    examples: ['54362315K', 'DNI: 54362315-K', 'mi DNI es 54362315L'],
    counterExamples: ['54362315L', '5436231K'],
  }),
  nationalId({
    entity: 'ES_NIE',
    shapes: { '[xyz]-?\\d{7}[ -]?[a-hj-np-tv-z]': 0.75 },
    validate: isNif,
    context: ['nie', 'extranjero'],
    examples: ['X2482300W', 'X-2482300-W'],
    counterExamples: ['X2482300A'],
  }),
  nationalId({
    entity: 'IT_FISCAL_CODE',
    shapes: { '[a-z]{6}[\\dlmnp-v]{2}[abcdehlmprst][\\dlmnp-v]{2}[a-z][\\dlmnp-v]{3}[a-z]': 0.9 },
    validate: isFiscalCode,
    context: ['codice fiscale', 'fiscal code'],
    examples: ['RCCMNL83S18D969H', 'codice fiscale RCCMNL83S18D969I'],
    counterExamples: ['RCCMNL83S18D969I', 'RCCMNL83S18D969'],
  }),
  nationalId({
    entity: 'FR_NIR',
    shapes: { '[1-478] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[ab]) ?\\d{3} ?\\d{3} ?\\d{2}': 0.85 },
    validate: isNir,
    context: ['nir', 'sécurité sociale', 'insee', 'numéro de sécu'],
    examples: ['2 95 10 99 126 111 93', '295109912611193'],
    counterExamples: ['295109912611192'],
  }),
  nationalId({
    entity: 'DE_TAX_ID',
    shapes: { '\\d{2} \\d{3} \\d{3} \\d{3}': 0.55, '\\d{11}': inContext },
    validate: isTaxId,
    context: ['steuer', 'idnr', 'identifikationsnummer', 'tin'],
    examples: ['36 574 261 809', 'Steuer-ID 36574261809', 'Steuer-ID: 36574261808'],
    counterExamples: ['36574261809', '36 574 261 808'],
  }),
  nationalId({
    entity: 'NL_BSN',
    shapes: { '\\d{4}\\.\\d{2}\\.\\d{3}': 0.6, '\\d{9}': inContext },
    validate: isBsn,
    context: ['bsn', 'burgerservicenummer', 'sofinummer', 'sofi'],
    examples: ['1112.22.333', 'BSN 111222333'],
    counterExamples: ['111222333', '1112.22.334'],
  }),
  nationalId({
    entity: 'BE_NATIONAL_NUMBER',
    shapes: { '\\d{2}\\.\\d{2}\\.\\d{2}-\\d{3}\\.\\d{2}': 0.9, '\\d{11}': inContext },
    validate: isBelgian,
    context: ['rijksregister', 'registre national', 'insz', 'niss', 'nrn'],
    examples: ['85.07.30-033.28', 'rijksregisternummer 85073003328'],
    counterExamples: ['85.07.30-033.29', '85073003328'],
  }),
  nationalId({
    entity: 'PT_NIF',
    shapes: { '[1-3]\\d{2} \\d{3} \\d{3}': 0.3, '[1-35-9]\\d{8}': inContext },
    validate: isPortuguese,
    context: ['nif', 'contribuinte'],
    examples: ['NIF 501964843', 'contribuinte 501964842'],
    counterExamples: ['501964843'],
  }),
  nationalId({
    entity: 'AT_SOCIAL_SECURITY',
    shapes: {
      '[1-9]\\d{3} (?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])\\d{2}': 0.6,
      '[1-9]\\d{3}(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])\\d{2}': inContext,
    },
    validate: isAustrian,
    context: ['sozialversicherung', 'sv-nummer', 'svnr', 'vsnr'],
    examples: ['1237 010180', 'SVNR 1237010180'],
    counterExamples: ['1238 010180', '1237010180'],
  }),
  nationalId({
    entity: 'CH_AHV',
    shapes: { '756\\.\\d{4}\\.\\d{4}\\.\\d{2}': 0.95, '756\\d{10}': 0.6 },
    validate: isAhv,
    context: ['ahv', 'avs', 'avn13', 'sozialversicherung'],
    examples: ['756.9217.0769.85', '7569217076985'],
    counterExamples: ['756.9217.0769.84'],
  }),
  nationalId({
    entity: 'IE_PPS',
    shapes: { '\\d{7}[a-w][a-iw]?': 0.5 },
    validate: isPps,
    context: ['pps', 'ppsn', 'personal public service'],
    examples: ['PPS 6433435F', '6433435F'],
    counterExamples: ['6433435E', '643343F'],
  }),
]
