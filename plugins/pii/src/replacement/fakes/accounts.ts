import { isValidIBAN } from 'ibantools'
import { luhn, asDecimal } from '../../checksums/index.js'
import { modulo } from '../../checksums/digits.js'
import { asDigits } from '../../patterns/spread.js'
import { hasIssuer } from '../../recognizers/card-issuers.js'
import { ibanIn } from '../../recognizers/iban.js'
import { randomBase58Check, randomBech32 } from '../../recognizers/wallets.js'
import { sameShape } from '../../random/same-shape.js'
import type { Randomness } from '../../random/randomness.js'
import { fill } from './fill.js'

const latin = /[a-z\d]/gi

/** The groups of a number with words between them, or with an exponent. */
const groups = /(?<![\p{L}\p{N}])(?:\d\.\d{13,15}(?=e)|\d{4,6}(?![\p{L}\p{N}]))/giu

/** A card number of the same issuer and length; words between its groups stay. */
export const fakeCard = (original: string, random: Randomness): string | undefined => {
  const hasWords = /[^\P{L}o]/iu.test(original)
  const digits = hasWords ? (original.match(groups) ?? []).join('').replace('.', '') : asDigits(original)
  if (digits.length < 12) return undefined
  const prefix = digits.slice(0, 4)
  const body = prefix + sameShape(digits.slice(4, -1), random)
  const number = Array.from('0123456789', (check) => body + check).find((one) => luhn(one)) ?? `${body}0`
  if (hasIssuer(digits) && !hasIssuer(number)) return undefined
  let left = number
  const take = (group: string) => {
    const other = fill(group, latin, left)
    left = left.slice(group.replace('.', '').length)
    return other
  }
  return hasWords ? original.replaceAll(groups, take) : fill(original, latin, number)
}

/** How many IBANs are tried, as some countries have further check digits inside. */
const attempts = 2000

const maxIbanLength = 34

export const fakeIban = (original: string, random: Randomness): string | undefined => {
  const compact = ibanIn(original) ?? original.replace(/[^a-z\d]/gi, '')
  if (compact.length > maxIbanLength) return undefined
  const country = compact.slice(0, 2).toUpperCase()
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const account = sameShape(compact.slice(4), random).toUpperCase()
    const check = 98 - modulo(asDecimal(`${account}${country}00`), 97)
    const iban = country + String(check).padStart(2, '0') + account
    if (isValidIBAN(iban)) return fill(original, latin, /\p{Lu}/u.test(original) ? iban : iban.toLowerCase())
  }
  return undefined
}

export const fakeWallet = (original: string, random: Randomness): string | undefined => {
  if (/^0x/i.test(original))
    return original.slice(0, 2) + Array.from(original.slice(2), () => random.oneOf('0123456789abcdef')).join('')
  const byte = () => random.byte()
  const segwit = /^(bc|tb|ltc)1/i.exec(original)?.[1]?.toLowerCase()
  return segwit ? randomBech32(segwit, original, byte) : randomBase58Check(original, byte)
}
