/** Where the parts of a text stand in what became of it. */

import { countUpTo } from '@sallyport/kit/lists'

/** A position in a text, and the one in what became of it. */
interface Pair {
  readonly from: number
  readonly to: number
}

/** Words and what is between them, with where they begin. */
interface Tokens {
  readonly texts: readonly string[]
  readonly starts: readonly number[]
}

/** Tokens in a row that show that both texts go on alike. */
const agreement = 3
/** Characters; what is longer leaves as one. */
const maxAligned = 16_384
/** Tokens that a change may have on both sides together. */
const maxChange = 64

/**
 * From positions in a text to those in what became of it: none is left out, and their order stays. What was changed is
 * whole: a position in it stands behind all that it was changed to.
 */
export const alignment = (text: string, changed: string): ((position: number) => number) => {
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

const tokensOf = (text: string): Tokens => {
  const texts = text.match(/\s+|[^\s]+/gu) ?? []
  let at = 0
  const starts = texts.map((token) => {
    const start = at
    at += token.length
    return start
  })
  return { texts, starts: [...starts, at] }
}

/** Where a token that both have begins in each, and where a change ends. */
const anchors = (one: Tokens, other: Tokens): Pair[] => {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  while (i < one.texts.length && j < other.texts.length) {
    pairs.push({ from: one.starts[i] ?? 0, to: other.starts[j] ?? 0 })
    if (one.texts[i] !== other.texts[j]) {
      const change = nextAgreement(one, other, i, j)
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

/** How many tokens of each the shortest change has that begins here. */
const nextAgreement = (one: Tokens, other: Tokens, i: number, j: number): Pair | undefined => {
  for (let both = 1; both <= maxChange; both += 1)
    for (let from = 0; from <= both; from += 1)
      if (agree(one, other, i + from, j + both - from)) return { from, to: both - from }
  return undefined
}

const agree = (one: Tokens, other: Tokens, i: number, j: number): boolean => {
  const left = Math.min(one.texts.length - i, other.texts.length - j)
  if (left <= 0) return false
  for (let at = 0; at < Math.min(agreement, left); at += 1) if (one.texts[i + at] !== other.texts[j + at]) return false
  return left >= agreement || one.texts.length - i === other.texts.length - j
}
