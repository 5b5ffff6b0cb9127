import { areSameDigits } from '../checksums/digits.js'
import { luhn } from '../checksums/index.js'

export type Issuers = readonly (readonly [RegExp, readonly number[]])[]

/** Prefixes of card numbers with their lengths. Numbers of other issuers are found only after context words. */
export const issuers: Issuers = [
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

export const hasIssuer = (digits: string, among = issuers): boolean =>
  among.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length))

export const isValidCard = (digits: string, among = issuers): boolean =>
  hasIssuer(digits, among) && luhn(digits) && !areSameDigits(digits)

/** Common issuers, whose numbers are written in characteristic groups. */
export const commonIssuers: Issuers = [
  [/^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6011|64[4-9]|65|35(?:2[89]|[3-8]))/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3[689])/, [14]],
]
