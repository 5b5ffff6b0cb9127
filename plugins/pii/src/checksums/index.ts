import { digitsOf, modulo } from './digits.js'

/** Whether a text, apart from spaces and punctuation, ends with the right check digit. */
export type Checksum = (text: string) => boolean

/** Bank cards, IMEI, many national numbers. */
export const luhn: Checksum = (text) => {
  const digits = digitsOf(text).reverse()
  const values = digits.map((digit, index) => (index % 2 ? ((digit * 2) % 10) + Number(digit > 4) : digit))
  const sum = values.reduce((total, value) => total + value, 0)
  return digits.length > 1 && sum % 10 === 0
}

/** ISO 7064 mod 97-10 over letters and digits, check digits at the end. */
const mod97: Checksum = (text) => modulo(asDecimal(text.replace(/[^a-z\d]/gi, '')), 97) === 1

/** Letters as 10 to 35. */
export const asDecimal = (text: string): string => text.replace(/[a-z]/gi, (letter) => String(parseInt(letter, 36)))

/** ISO 7064 mod 11-10: Croatian OIB, German tax numbers. */
export const mod1110: Checksum = (text) => {
  const digits = digitsOf(text)
  const check = digits.pop()
  const remainder = digits.reduce((product, digit) => (((product + digit) % 10 || 10) * 2) % 11, 10)
  return digits.length > 0 && (remainder + (check ?? 0)) % 10 === 1
}

/** Products in the dihedral group of ten elements, and powers of a permutation (Verhoeff, 1969). */
const multiplication =
  '0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 8765932104 9876543210'.split(
    ' ',
  )
const permutation = '0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258'.split(' ')

/** Aadhaar. */
export const verhoeff: Checksum = (text) =>
  digitsOf(text)
    .reverse()
    .reduce((sum, digit, index) => Number(multiplication[sum]?.[Number(permutation[index % 8]?.[digit])]), 0) === 0

/** Checksums by the names that recognisers in a configuration use. */
export const checksums = { luhn, mod97, mod1110, verhoeff } as const satisfies Record<string, Checksum>
