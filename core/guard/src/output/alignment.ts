/** Aligns a text with its replaced version. */

import { countUpTo } from '@sallyport/kit/lists'

/** A position in a text, and the matching one in the replaced text. */
interface Pair {
  readonly from: number
  readonly to: number
}

/** Lines, or words, white space and line breaks, with their starts. */
interface Tokens {
  readonly texts: readonly string[]
  readonly starts: readonly number[]
}

/** This many equal tokens in a row show that a change has ended. */
const minAgreement = 3
/** In UTF-16 code units. Longer texts are not aligned, and are released as one part. */
const maxAligned = 16_384
/** Maximum number of tokens of one change, in both texts together. */
const maxChange = 64

type MapPosition = (position: number) => number

/**
 * Maps positions in a text to positions in the replaced text, in the same order. A position inside a change maps to the
 * end of its replacement, so that replacements are never divided. Texts with equally many lines are aligned line by
 * line: a list of names may have changed in each.
 */
export const alignPositions = (text: string, changed: string): MapPosition => {
  const [lines, changedLines] = [linesOf(text), linesOf(changed)]
  if (lines.texts.length !== changedLines.texts.length) return alignTokens(text, changed)
  const mapsInLines: MapPosition[] = []
  return (position) => {
    const at = Math.max(0, countUpTo(lines.starts, position) - 1)
    const mapInLine = (mapsInLines[at] ??= alignTokens(lines.texts[at] ?? '', changedLines.texts[at] ?? ''))
    return (changedLines.starts[at] ?? 0) + mapInLine(position - (lines.starts[at] ?? 0))
  }
}

const alignTokens = (text: string, changed: string): MapPosition => {
  if (Math.max(text.length, changed.length) > maxAligned) return (position) => (position > 0 ? changed.length : 0)
  const pairs = anchors(tokensOf(text), tokensOf(changed))
  const begins = pairs.map(({ from }) => from)
  return (position) => {
    if (position >= text.length) return changed.length
    const at = countUpTo(begins, position - 1)
    const [before, next] = [pairs[at - 1], pairs[at] ?? { from: text.length, to: changed.length }]
    if (next.from === position) return next.to
    if (!before) return position > 0 ? next.to : 0
    const isAlike = text.slice(before.from, next.from) === changed.slice(before.to, next.to)
    return isAlike ? before.to + position - before.from : next.to
  }
}

const split = (text: string, pattern: RegExp): Tokens => {
  const tokens = [...text.matchAll(pattern)]
  return { texts: tokens.map(([token]) => token), starts: tokens.map(({ index }) => index) }
}

const tokensOf = (text: string): Tokens => split(text, /\n|[^\S\n]+|\S+/gu)

/** Each line begins with the line break before it. */
const linesOf = (text: string): Tokens => split(text, /\n[^\n]*|[^\n]+/g)

/** The starts of equal tokens in both texts, and the starts of changes. */
const anchors = (one: Tokens, other: Tokens): Pair[] => {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  while (i < one.texts.length && j < other.texts.length) {
    pairs.push({ from: one.starts[i] ?? 0, to: other.starts[j] ?? 0 })
    if (one.texts[i] !== other.texts[j]) {
      const change = shortestChange(one, other, i, j)
      if (!change) break
      i += change.from
      j += change.to
    } else {
      i += 1
      j += 1
    }
  }
  return pairs
}

/** Numbers of tokens in both texts. */
interface TokenCounts {
  readonly from: number
  readonly to: number
}

/** The length of the shortest change that begins at these tokens. */
const shortestChange = (one: Tokens, other: Tokens, i: number, j: number): TokenCounts | undefined => {
  for (let both = 1; both <= maxChange; both += 1)
    for (let from = 0; from <= both; from += 1)
      if (agree(one, other, i + from, j + both - from)) return { from, to: both - from }
  return undefined
}

const agree = (one: Tokens, other: Tokens, i: number, j: number): boolean => {
  const remaining = Math.min(one.texts.length - i, other.texts.length - j)
  if (remaining <= 0) return false
  for (let at = 0; at < Math.min(minAgreement, remaining); at += 1)
    if (one.texts[i + at] !== other.texts[j + at]) return false
  return remaining >= minAgreement || one.texts.length - i === other.texts.length - j
}
