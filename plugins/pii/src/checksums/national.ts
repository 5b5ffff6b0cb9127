import { maxOf } from '@sallyport/kit/lists'
import { digitsOf, isDate, modulo, twoDigits, weighted } from './digits.js'
import { luhn, mod1110, verhoeff } from './index.js'
import type { Checksum } from './index.js'

const lettersAndDigits = (text: string): string => text.replace(/[^a-z\d]/gi, '').toUpperCase()

/** Spain: the check letter follows from the number; a first letter (X, Y, Z) represents a digit. */
const nif: Checksum = (match) => {
  const text = lettersAndDigits(match)
  const number = text.slice(0, -1).replace(/^[XYZKLM]/, (letter) => String(Math.max(0, 'XYZ'.indexOf(letter))))
  return text.at(-1) === 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number.replace(/\D/g, '')) % 23]
}

/**
 * Belgium: for those born since 2000, a 2 is put before the number. Without a known birth date, month and day are 0.
 */
const belgianNationalNumber: Checksum = (match) => {
  const digits = match.replace(/\D/g, '')
  const check = 97 - twoDigits(digits, 9)
  const isRight = [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((body) => modulo(body, 97) === check % 97)
  return isRight && twoDigits(digits, 2) % 20 <= 12 && twoDigits(digits, 4) <= 31
}

/** France; the departments of Corsica have a letter. */
const nir: Checksum = (match) => {
  const text = lettersAndDigits(match)
  const body = text.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return modulo(body, 97) === 97 - Number(text.slice(13))
}

/** Germany: one of the first ten digits occurs there twice or three times. */
const germanTaxId: Checksum = (match) => {
  const digits = match.replace(/\D/g, '')
  const repeats = maxOf(Array.from(digits.slice(0, 10), (digit) => digits.slice(0, 10).split(digit).length - 1))
  return !digits.startsWith('0') && repeats >= 2 && repeats <= 3 && mod1110(digits)
}

/** Ireland; a second letter counts, too. */
const pps: Checksum = (match) => {
  const text = match.toUpperCase()
  const second = text[8] ? 'WABCDEFGHI'.indexOf(text[8]) * 9 : 0
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) + second) % 23] === text[7]
}

const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Italy: letters and digits at odd positions have values of their own. */
const fiscalCode: Checksum = (match) => {
  const text = match.toUpperCase()
  const values = Array.from(text.slice(0, 15), (character) =>
    /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65,
  )
  const sum = values.reduce((total, value, index) => total + (index % 2 ? value : (oddValues[value] ?? 0)), 0)
  return text.charCodeAt(15) - 65 === sum % 26
}

/** Estonia and Lithuania: a second list of weights where the first leaves 10. */
const balticPersonalCode: Checksum = (match) => {
  const digits = digitsOf(match)
  const remainder = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const second = weighted(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  return (remainder < 10 ? remainder : second % 10) === digits[10]
}

/** Latvia; numbers that begin with 3 encode no birth date, and have no check digit. */
const latvianPersonalCode: Checksum = (match) => {
  const text = match.replace(/\D/g, '')
  if (text.startsWith('3')) return true
  const check = '10098765432'[weighted(digitsOf(text), [1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11]
  return check === text[10] && isDate(twoDigits(text, 4), twoDigits(text, 2), twoDigits(text, 0))
}

/** Russia: two check digits. */
const snils: Checksum = (match) => {
  const digits = match.replace(/\D/g, '')
  return (weighted(digitsOf(digits), [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === modulo(digits.slice(9), 100)
}

/** Chile: seven or eight digits, counted from the last one. */
const rut: Checksum = (match) => {
  const text = lettersAndDigits(match)
  return text.at(-1) === '0K987654321'[weighted(digitsOf(text.slice(0, -1)).reverse(), [2, 3, 4, 5, 6, 7, 2, 3]) % 11]
}

/** Mexico */
const curp: Checksum = (match) => {
  const text = match.toUpperCase()
  const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
  const values = Array.from(text.slice(0, 17), (character, index) => alphabet.indexOf(character) * (18 - index))
  return text[17] === '0987654321'[values.reduce((sum, value) => sum + value, 0) % 10]
}

/** Singapore: by the first letter, check letters for each remainder. */
const nricLetters: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
  M: 'TRQPNJLKXWU',
}

const nric: Checksum = (match) => {
  const text = match.toUpperCase()
  return nricLetters[text.charAt(0)]?.[weighted(digitsOf(text), [2, 7, 6, 5, 4, 3, 2]) % 11] === text.at(-1)
}

/** Taiwan: the letter of the county represents two digits. */
const taiwaneseId: Checksum = (match) => {
  const area = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(match.charAt(0).toUpperCase()) + 10
  const digits = [Math.floor(area / 10), area % 10, ...digitsOf(match)]
  return weighted(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0
}

/** Sweden: the century, where it is given, does not count. */
const luhnOfTen: Checksum = (match) => luhn(match.replace(/\D/g, '').slice(-10))

/** Providers in the United States: as a card of the issuer 80840. */
const npi: Checksum = (match) => luhn(`80840${match}`)

/** Prescribers in the United States (Drug Enforcement Administration). */
const dea: Checksum = (match) => {
  const digits = digitsOf(match)
  return weighted(digits, [1, 2, 1, 2, 1, 2]) % 10 === digits[6]
}

/** Checksums that are more than the remainder of one weighted sum, by the names that the tables of numbers use. */
export const namedChecksums: Readonly<Record<string, Checksum>> = {
  baltic: balticPersonalCode,
  belgian: belgianNationalNumber,
  curp,
  dea,
  fiscalCode,
  german: germanTaxId,
  latvian: latvianPersonalCode,
  luhn,
  luhnOfTen,
  mod1110,
  nif,
  nir,
  npi,
  nric,
  pps,
  rut,
  snils,
  taiwanese: taiwaneseId,
  verhoeff,
}
