/** Lists of codes: `0x49, 0x67`, `73 103`, `01001001 01100111`, `U+0049 U+0067`. */

import { append } from '../../lists/append.js'
import type { Pacer } from '../../async/pacer.js'
import { joinedMatches } from '../matches.js'
import { bytesOf, countIn, slices } from '../slices.js'

/** Shorter lists say nothing. */
const minCodes = 8

/** A number of any base; only the whole list shows which one. */
const code = '(?:0[xXbBoO]|[xXuU]\\+?)?[\\da-fA-F]{1,8}'
const maxSeparatorLength = 6
const separator = `[^\\dA-Za-z]{1,${maxSeparatorLength}}`
const list = new RegExp(`(?<![\\dA-Za-z])${code}(?:${separator}${code}(?![\\dA-Za-z])){1,4096}`, 'g')
const prefix = /^(?:0[xXbBoO](?=.)|[xXuU]\+?)/

/** A part of a text that may be encoded. */
export interface EncodedPart {
  readonly index: number
  readonly length: number
  /** What it may stand for, decoded when it is read. */
  readonly bytes: AsyncIterable<Buffer>
}

export async function* codeLists(text: string, pacer: Pacer): AsyncGenerator<EncodedPart, void> {
  for await (const { match, index } of joinedMatches(text, list, maxSeparatorLength, pacer)) {
    const codes: string[] = []
    for (const [code] of match.matchAll(/(?:[xXuU]\+)?[\dA-Za-z]+/g))
      if (codes.push(code) % 4096 === 0) await pacer.pause()
    if (codes.length >= minCodes) yield { bytes: bytesOfCodes(codes, pacer), index, length: match.length }
  }
}

/** The forms of codes. Not all of a list need have one form, since words beside it may look like codes. */
const bases = [
  { base: 2, form: /^[01]{7,8}$/ },
  { base: 10, form: /^\d{1,7}$/ },
  { base: 16, form: /^(?:[\da-f]{2}|0{0,4}[\da-f]{4})$/i },
  { base: 8, form: /^[0-3]?[0-7]{2}$/ },
] as const
const minShare = 0.9

/** The bytes, in UTF-8, that a list may stand for. */
async function* bytesOfCodes(codes: readonly string[], pacer: Pacer): AsyncGenerator<Buffer, void> {
  const digits: string[] = []
  for await (const slice of slices(codes, pacer, (some) => some.map((one) => one.replace(prefix, ''))))
    append(digits, slice)
  const count = (written: readonly string[], form: RegExp): Promise<number> =>
    countIn(written, pacer, (some) => some.filter((one) => form.test(one)).length)
  if ((await count(digits, /^[01]{1,6}$/)) === digits.length) yield bytesOf(digits.join(''), pacer, bytesOfBits)
  const prefixed = (await count(codes, /^(?:0[xX]|[xXuU])/)) >= minShare * codes.length
  for (const { base, form } of bases) {
    if (prefixed && base !== 16) continue
    if ((await count(digits, form)) < minShare * digits.length) continue
    const numbersOf = (some: readonly string[]) => some.map((one) => (form.test(one) ? parseInt(one, base) : 0))
    const wide = await countIn(digits, pacer, (some) => numbersOf(some).filter((number) => number >= 0x100).length)
    yield bytesOf(digits, pacer, (some) =>
      wide > 0 ? utf8OfCodePoints(numbersOf(some)) : Buffer.from(numbersOf(some)),
    )
  }
}

export const bytesOfBits = (bits: string): Buffer =>
  Buffer.from(bits.match(/[01]{8}/g)?.map((byte) => parseInt(byte, 2)) ?? [])

const utf8OfCodePoints = (numbers: readonly number[]): Buffer =>
  Buffer.from(numbers.map((number) => (number <= 0x10ffff ? String.fromCodePoint(number) : ' ')).join(''))
