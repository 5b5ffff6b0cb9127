import { luhn } from '../checksums/index.js'
import { sameDigits } from '../checksums/digits.js'
import type { Recognizer } from './recognizer.js'

/** Beginnings of card numbers with their lengths: numbers of other issuers are not found without context. */
const issuers: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65|622)/, [16, 17, 18, 19]],
  [/^(?:30[0-5]|3[689])/, [14, 15, 16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:62|81)/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0137])/, [12, 13, 14, 15, 16, 17, 18, 19]],
  [/^220[0-4]/, [16, 17, 18, 19]],
]

/** Whether a number begins and is as long as those of a card's issuer. */
export const hasIssuer = (digits: string): boolean =>
  issuers.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length))

const validate = (match: string): boolean => {
  const digits = match.replace(/\D/g, '')
  return hasIssuer(digits) && luhn(digits) && !sameDigits(digits)
}

export const creditCard: Recognizer = {
  entity: 'CREDIT_CARD',
  patterns: [{ regex: /(?<![\p{L}\p{N}])(?<![\d][.,-])\d(?:[ -]?\d){11,18}(?![\p{L}\p{N}]|[.,-]\d)/u, score: 0.95 }],
  validate,
  context: [
    'credit card',
    'debit card',
    'card',
    'visa',
    'mastercard',
    'amex',
    'american express',
    'cc number',
    'kreditkarte',
    'tarjeta',
    'carte',
  ],
  examples: [
    '4111 1111 1111 1111',
    'card 5500-0055-5555-5559',
    '378282246310005',
    '[6011000990139424].',
    'my credit card is 4111111111111112',
  ],
  counterExamples: ['4111 1111 1111 1112', '1234567890123', '0000 0000 0000 0000', '12345678901234567890123'],
}
