import type { Range } from '../expression.js'

/** A set of code points, as sorted and disjoint ranges. */
export type CodePoints = readonly Range[]

/** Every code point that Unicode text may hold, which excludes surrogates. */
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

export const intersect = (a: CodePoints, b: CodePoints): CodePoints =>
  a.flatMap(([from, to]) =>
    b
      .filter(([low, high]) => from <= high && low <= to)
      .map(([low, high]): Range => [Math.max(from, low), Math.min(to, high)]),
  )

/** All code points that are not in the ranges. */
export const complement = (ranges: readonly Range[]): CodePoints => {
  const gaps: Range[] = []
  let next = 0
  for (const [from, to] of unite(ranges)) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (next <= 0x10ffff) gaps.push([next, 0x10ffff])
  return intersect(gaps, anyCharacter)
}

export const includes = (set: CodePoints, code: number): boolean => set.some(([from, to]) => from <= code && code <= to)

/** The code points of a text. */
export const codePointsOf = (text: string): CodePoints =>
  unite(Array.from(text, (character): Range => [character.codePointAt(0) ?? 0, character.codePointAt(0) ?? 0]))
