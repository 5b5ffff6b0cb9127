/** Emphasis of Markdown in the middle of an address or a number, which readers do not see, and a dash behind a dot. */

import { invisibleText } from '../edited.js'
import type { Edit } from '../edited.js'
import type { Span } from '../view.js'

/** UTF-16 code units of an address on each side of its `@`. */
const maxSideLength = 256

const isBlank = (unit: number): boolean => unit <= 0x20 || unit === 0xa0

/** The span around each `@` up to the next blanks. */
function* addressesIn(text: string): Generator<Span> {
  let end = 0
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', end)) {
    let start = sign
    while (start > end && sign - start < maxSideLength && !isBlank(text.charCodeAt(start - 1))) start -= 1
    const limit = Math.min(text.length, sign + maxSideLength)
    for (end = sign + 1; end < limit && !isBlank(text.charCodeAt(end));) end += 1
    yield { start, end }
  }
}

const anyMark = /[*~_\x60]|==|\.\p{Pd}/u
const around = String.raw`[\p{L}\p{N}.@+-]`
const single = '([*~_\\x60]|__|==)'
/** A dash behind a dot between letters that are parted by dashes: `a-c-m-e-.-c-o-m`. */
const dashOfSpelled = String.raw`(?<=\p{Pd}[\p{L}\p{N}]\p{Pd}?\.)\p{Pd}(?=[\p{L}\p{N}]\p{Pd})`
/** A single mark counts only where another one closes it. */
const inAddress = new RegExp(
  String.raw`${dashOfSpelled}|(?<=${around})(?:\*{2,3}|~~|\x60\x60)(?=${around})` +
    String.raw`|(?<=${around})${single}${around}{1,64}\1|${single}${around}{1,64}\2(?=${around})`,
  'gu',
)

/** Emphasis marks in addresses, and dashes in spelled ones. Underscores before the `@` belong to the address. */
export function* emphasisInAddresses(text: string): Generator<Edit> {
  for (const { start, end } of addressesIn(text)) {
    const address = text.slice(start, end)
    if (!anyMark.test(address)) continue
    const sign = address.indexOf('@')
    for (const match of address.matchAll(inAddress))
      if (!match[0].includes('_') || match.index > sign) yield* marksOf(match, start)
  }
}

const separator = String.raw`[ ()./-]{0,2}`
const mark = String.raw`(\*{1,3}|~{1,2}|\x60|==|(?<![\p{L}\p{N}])_{1,2})`
const part = String.raw`[+(]?\d(?:[\d ()./-]{0,40}[\d)./-])?`
const markedDigit = /(?:[*~_\x60]|==)[+(]?\d/
const inNumber = new RegExp(
  String.raw`(?=[*~_\x60=])(?:(?<=\d)\x60\x60(?=\d)|(?<=[\d+]${separator})${mark}${part}\1|${mark}${part}\2(?=${separator}\d))`,
  'gu',
)

/** Emphasis marks in numbers that continue on at least one side: `+1 415 **555** 2671`. */
export function* emphasisInNumbers(text: string): Generator<Edit> {
  if (!markedDigit.test(text)) return
  for (const match of text.matchAll(inNumber)) yield* marksOf(match)
}

/** The match itself, or the two marks at its ends. */
function* marksOf({ 0: match, 1: before, 2: after, index }: RegExpExecArray, offset = 0): Generator<Edit> {
  const start = offset + index
  const end = start + match.length
  const { length } = before ?? after ?? ''
  if (length === 0) yield { start, end, replacement: invisibleText }
  else {
    yield { start, end: start + length, replacement: invisibleText }
    yield { start: end - length, end, replacement: invisibleText }
  }
}
