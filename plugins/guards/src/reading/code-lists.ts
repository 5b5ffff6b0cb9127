import { joinedMatches } from './matches.js'

/** Lists of codes: `0x49, 0x67`, `73 103`, `01001001 01100111`, `U+0049 U+0067`. */

/** Codes that say something. */
const fewest = 8

/** Numbers of any base; which one is seen from all of a list. */
const code = '(?:0[xXbBoO]|[xXuU]\\+?)?[\\da-fA-F]{1,8}'
const longestBetween = 6
const between = `[^\\dA-Za-z]{1,${longestBetween}}`
const list = new RegExp(`(?<![\\dA-Za-z])${code}(?:${between}${code}(?![\\dA-Za-z])){1,4096}`, 'g')
const prefix = /^(?:0[xXbBoO](?=.)|[xXuU]\+?)/

export interface CodeList {
  readonly codes: readonly string[]
  readonly index: number
  readonly length: number
}

export function* codeLists(text: string): Generator<CodeList> {
  for (const { match, index } of joinedMatches(text, list, longestBetween)) {
    const codes = match.split(/[^\dA-Za-z+]+/).filter(Boolean)
    if (codes.length >= fewest) yield { codes, index, length: match.length }
  }
}

/** How codes are written; most of a list must be so, for words stand beside it that look like codes. */
const bases = [
  { base: 2, form: /^[01]{7,8}$/ },
  { base: 10, form: /^\d{1,7}$/ },
  { base: 16, form: /^(?:[\da-f]{2}|0{0,4}[\da-f]{4})$/i },
  { base: 8, form: /^[0-3]?[0-7]{2}$/ },
] as const
const most = 0.9

/** What a list may stand for, in UTF-8. */
export function* bytesOfCodes(codes: readonly string[]): Generator<Buffer> {
  const digits = codes.map((one) => one.replace(prefix, ''))
  if (digits.every((one) => /^[01]{1,6}$/.test(one))) yield bytesOfBits(digits.join(''))
  const prefixed = codes.filter((one) => /^(?:0[xX]|[xXuU])/.test(one)).length >= most * codes.length
  for (const { base, form } of bases) {
    if (prefixed && base !== 16) continue
    if (digits.filter((one) => form.test(one)).length < most * digits.length) continue
    yield ofNumbers(digits.map((one) => (form.test(one) ? parseInt(one, base) : 0)))
  }
}

export const bytesOfBits = (bits: string): Buffer =>
  Buffer.from(bits.match(/[01]{8}/g)?.map((byte) => parseInt(byte, 2)) ?? [])

const ofNumbers = (numbers: readonly number[]): Buffer =>
  numbers.every((number) => number < 0x100)
    ? Buffer.from(numbers)
    : Buffer.from(numbers.map((number) => (number <= 0x10ffff ? String.fromCodePoint(number) : ' ')).join(''))
