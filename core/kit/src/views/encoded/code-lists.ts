import { append } from '../../lists/append.js'
import type { Pacer } from '../../async/pacer.js'
import { joinedMatches } from '../matches.js'
import { bytesOf, countIn, slices } from '../slices.js'

/** Lists of codes: `0x49, 0x67`, `73 103`, `01001001 01100111`, `U+0049 U+0067`. */

/** Codes that say something. */
const fewest = 8

/** Numbers of any base; which one is seen from all of a list. */
const code = '(?:0[xXbBoO]|[xXuU]\\+?)?[\\da-fA-F]{1,8}'
const longestBetween = 6
const between = `[^\\dA-Za-z]{1,${longestBetween}}`
const list = new RegExp(`(?<![\\dA-Za-z])${code}(?:${between}${code}(?![\\dA-Za-z])){1,4096}`, 'g')
const prefix = /^(?:0[xXbBoO](?=.)|[xXuU]\+?)/

interface CodeList {
  readonly codes: readonly string[]
  readonly index: number
  readonly length: number
}

export async function* codeLists(text: string, pacer: Pacer): AsyncGenerator<CodeList, void> {
  for await (const { match, index } of joinedMatches(text, list, longestBetween, pacer)) {
    const codes: string[] = []
    for (const [code] of match.matchAll(/[\dA-Za-z+]+/g)) if (codes.push(code) % 4096 === 0) await pacer.pause()
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
export async function* bytesOfCodes(codes: readonly string[], pacer: Pacer): AsyncGenerator<Buffer, void> {
  const digits: string[] = []
  for await (const slice of slices(codes, pacer, (some) => some.map((one) => one.replace(prefix, ''))))
    append(digits, slice)
  const count = (written: readonly string[], form: RegExp): Promise<number> =>
    countIn(written, pacer, (some) => some.filter((one) => form.test(one)).length)
  if ((await count(digits, /^[01]{1,6}$/)) === digits.length) yield bytesOf(digits.join(''), pacer, bytesOfBits)
  const prefixed = (await count(codes, /^(?:0[xX]|[xXuU])/)) >= most * codes.length
  for (const { base, form } of bases) {
    if (prefixed && base !== 16) continue
    if ((await count(digits, form)) < most * digits.length) continue
    const numbersOf = (some: readonly string[]) => some.map((one) => (form.test(one) ? parseInt(one, base) : 0))
    const wide = await countIn(digits, pacer, (some) => numbersOf(some).filter((number) => number >= 0x100).length)
    yield bytesOf(digits, pacer, (some) => (wide > 0 ? ofCharacters(numbersOf(some)) : Buffer.from(numbersOf(some))))
  }
}

export const bytesOfBits = (bits: string): Buffer =>
  Buffer.from(bits.match(/[01]{8}/g)?.map((byte) => parseInt(byte, 2)) ?? [])

const ofCharacters = (numbers: readonly number[]): Buffer =>
  Buffer.from(numbers.map((number) => (number <= 0x10ffff ? String.fromCodePoint(number) : ' ')).join(''))
