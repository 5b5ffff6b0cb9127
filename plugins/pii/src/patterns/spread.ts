/** Numbers whose groups are spread over lines, cells, lists or emphasis, or that have letters for zeros. */

import type { Span } from '@sallyport/kit/views'

/** What may separate two groups of one number in place of a space. */
export const gap = String.raw`[\s|*_/"'\x60,;()[\]>•·-]{1,8}`

/** Spaces and bars that pad columns. They are longer than a gap, so that nothing matches in two ways. */
const padding = String.raw`(?=[ \t|]{9})(?:[ \t]{1,64})?(?:\|[ \t]{0,64})?`

/** A gap or padding, for numbers after context words. */
export const wideGap = `(?:${gap}|${padding})`

/** Any symbol between two groups, also between quotes, as programs join strings. */
export const symbol = String.raw`[\s"'\x60]{0,3}(?:[^\p{L}\p{N}\s"'\x60.]{1,3}[\s"'\x60]{0,3}|\.{2,3}|\.[\s"'\x60]{1,3})`

/** Any symbols between groups, for numbers that a checksum confirms. */
export const anyGap = String.raw`[^\p{L}\p{N}]{1,8}`

/** A gap of any symbols, or padding. */
export const anyWideGap = `(?:${anyGap}|${padding})`

/** A digit, or a letter that looks like zero. */
export const digit = String.raw`[\dOo]`

/** A run of letters and digits with the gap before it. */
export interface Group extends Span {
  readonly text: string
  readonly gap: string
}

export const groupsOf = (match: string): Group[] => {
  let last = 0
  return [...match.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: text, index: start }) => {
    const end = start + text.length
    const group = { text, start, end, gap: match.slice(last, start) }
    last = end
    return group
  })
}

export const asDigits = (text: string): string => text.replace(/o/gi, '0').replace(/\D/g, '')

/** Whether at most one character of four is a letter, so that it is not a word. */
const areMostlyDigits = (text: string): boolean =>
  (text.match(/\d/g)?.length ?? 0) >= 3 * (text.match(/\p{L}/gu)?.length ?? 0)

/** A gap without emphasis and quotes, and with single spaces. */
const plainGap = (text: string): string =>
  text
    .replace(/["'`*]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/^ (?=\n)/, '')

/** Whether the same gap separates all groups. Lists of several numbers have two kinds of gaps. */
export const haveSameGap = (groups: readonly Group[]): boolean =>
  new Set(groups.slice(1).map((group) => plainGap(group.gap).trim() || plainGap(group.gap))).size <= 1

/** A `within` that takes all of a match where a predicate holds. */
export const wholeIf =
  (predicate: (match: string) => boolean) =>
  (match: string): Span | undefined =>
    predicate(match) ? { start: 0, end: match.length } : undefined

/** The digits of groups, with zeros for look-alikes; undefined where there are too many letters. */
export const spreadDigits = (groups: readonly Group[]): string | undefined => {
  const text = groups.map((group) => group.text).join('')
  return areMostlyDigits(text) ? asDigits(text) : undefined
}

/** The longest prefix of a match, in whole groups, for which a predicate holds; undefined where there is none. */
export const longestPrefix = (match: string, predicate: (groups: readonly Group[]) => boolean): Span | undefined => {
  const groups = groupsOf(match)
  for (let count = groups.length; count > 0; count -= 1)
    if (predicate(groups.slice(0, count))) return { start: 0, end: groups[count - 1]?.end ?? 0 }
  return undefined
}

/** A symbol in a link. Spaces alone do not link, as sentences have words between their numbers, too. */
const joint = String.raw`[!-/:-@[-\x60{-~]`
const symbols = String.raw`\s{0,4}${joint}{1,5}(?:\s{1,8}${joint}{1,4})?\s{0,4}`
const key = String.raw`(?:[a-zA-Z]{1,12}\d{0,2}|\d{1,2})`

/** What links two groups of one number: symbols around one or two keys. */
export const link = `${symbols}${key}(?:${symbols}${key})?${symbols}`

interface Linked {
  readonly groups: readonly string[]
  readonly links: readonly string[]
}

const group = /(?<![\p{L}\p{N}])\d{4,6}(?![\p{L}\p{N}])/gu

export const linkedGroups = (match: string): Linked => ({
  groups: match.match(group) ?? [],
  links: match.split(group).slice(1, -1),
})

/** Whether all links are the same, or their keys count up. */
export const areSimilarLinks = (links: readonly string[]): boolean => {
  const plain = links.map((one) => one.replaceAll(')', '').replace(/\s+/g, ' '))
  if (new Set(plain).size === 1) return true
  const keys = plain.map((one) => one.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '')
  const frames = plain.map((one) => one.replace(/[\p{L}\p{N}]+/gu, ''))
  return new Set(frames).size === 1 && keys.slice(1).every((one, index) => one === successorOf(keys[index] ?? ''))
}

/** The next key: `part2` after `part1`, `c` after `b`. */
const successorOf = (text: string): string => {
  const number = /\d+$/.exec(text)?.[0]
  if (number !== undefined) return text.slice(0, -number.length) + String(Number(number) + 1)
  const last = text.length - 1
  return text.slice(0, last) + String.fromCharCode(text.charCodeAt(last) + 1)
}
