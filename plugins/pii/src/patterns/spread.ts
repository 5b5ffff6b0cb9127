/** Numbers that are written over lines, cells, lists and emphasis, with blanks in them, or with letters for zeros. */

import type { Span } from '@sallyport/kit/views'

/** What may stand between two groups of one number, in place of a space. */
export const gap = String.raw`[\s|*_/"'\x60,;()[\]>•·-]{1,8}`

/** Between columns that blanks pad: longer than the others, so that none is tried in two ways. */
const padding = String.raw`(?=[ \t|]{9})(?:[ \t]{1,64})?(?:\|[ \t]{0,64})?`

/** A gap, or padding, where words before a number tell what it is. */
export const wideGap = `(?:${gap}|${padding})`

/** Any other sign between them, or full stops with a blank, and quotes around them: strings that are put together. */
export const sign = String.raw`[\s"'\x60]{0,3}(?:[^\p{L}\p{N}\s"'\x60.]{1,3}[\s"'\x60]{0,3}|\.{2,3}|\.[\s"'\x60]{1,3})`

/** Whatever is no letter and no digit, where a checksum holds over all of it. */
export const anyGap = String.raw`[^\p{L}\p{N}]{1,8}`

/** The same, with padding. */
export const anyWideGap = `(?:${anyGap}|${padding})`

/** A digit, or what looks like zero. */
export const digit = String.raw`[\dOo]`

/** A row of letters and digits, with what stands between it and the one before. */
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

/** Whether at most one of four is a letter: words are no numbers. */
export const areMostlyDigits = (text: string): boolean =>
  (text.match(/\d/g)?.length ?? 0) >= 3 * (text.match(/\p{L}/gu)?.length ?? 0)

/** Without emphasis and quotes, blanks as one. */
const plainGap = (text: string): string =>
  text
    .replace(/["'`*]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/^ (?=\n)/, '')

/** Whether one thing stands between all groups: rows of other numbers are parted in two ways. */
export const haveOneGap = (groups: readonly Group[]): boolean =>
  new Set(groups.slice(1).map((group) => plainGap(group.gap).trim() || plainGap(group.gap))).size <= 1

/** The longest beginning of a match, of whole groups, that is one; undefined where none is. */
export const beginningOf = (match: string, isOne: (groups: readonly Group[]) => boolean): Span | undefined => {
  const groups = groupsOf(match)
  for (let count = groups.length; count > 0; count -= 1)
    if (isOne(groups.slice(0, count))) return { start: 0, end: groups[count - 1]?.end ?? 0 }
  return undefined
}
