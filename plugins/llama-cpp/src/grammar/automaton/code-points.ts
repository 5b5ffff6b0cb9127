import type { Range } from '../expression.js'

/** Sets of code points as sorted, disjoint ranges. */
export type CodePoints = readonly Range[]

/** All that a text of Unicode may hold: surrogates are none. */
export const anyCharacter: CodePoints = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
]

export const unite = (ranges: readonly Range[]): CodePoints => {
  const merged: [number, number][] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

export const intersect = (a: CodePoints, b: CodePoints): CodePoints => {
  const both: Range[] = []
  for (const [from, to] of a)
    for (const [low, high] of b) if (from <= high && low <= to) both.push([Math.max(from, low), Math.min(to, high)])
  return both
}

export const complement = (ranges: CodePoints): CodePoints => {
  const gaps: Range[] = []
  let next = 0
  for (const [from, to] of unite(ranges)) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (next <= 0x10ffff) gaps.push([next, 0x10ffff])
  return intersect(gaps, anyCharacter)
}

/** All of a set but some code points. */
export const without = (set: CodePoints, codes: readonly number[]): CodePoints => {
  const sorted = [...codes].sort((a, b) => a - b)
  return set.flatMap(([from, to]) => {
    const parts: Range[] = []
    let next = from
    for (const code of sorted) {
      if (code < next || code > to) continue
      if (code > next) parts.push([next, code - 1])
      next = code + 1
    }
    return next <= to ? [...parts, [next, to] as const] : parts
  })
}

const ofText = (chars: string): Range[] =>
  Array.from(chars, (char) => [char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0])

export const digits: CodePoints = [[0x30, 0x39]]
export const wordCharacters = unite([[0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a], ...ofText('_')])
/** ECMAScript's WhiteSpace and LineTerminator. */
export const spaces = unite([[9, 13], [0x2000, 0x200a], ...ofText(' \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff')])
export const lineTerminators = unite(ofText('\n\r\u2028\u2029'))
