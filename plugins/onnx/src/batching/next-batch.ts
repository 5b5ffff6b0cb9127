import type { Entry, Share } from './share.js'

export interface BatchLimits {
  /** Tokens of a batch, padding included. A larger item is evaluated alone. */
  readonly tokens: number
  readonly items: number
}

/** What an evaluation costs beyond its tokens, in tokens; measured 8 to 20 on small encoders. */
const overhead = 16

/**
 * Chooses what is evaluated next. The first share that has items is served for sure, with its largest item; the others
 * join in turns with the items nearest in size, as far as that is cheaper than an evaluation of their own. Whoever puts
 * that first share last afterwards serves every share within as many batches as there are shares.
 */
export const nextBatch = <Item, Result>(
  shares: readonly Share<Item, Result>[],
  limits: BatchLimits,
): Entry<Item, Result>[] => {
  const anchor = shares.find(({ largest }) => largest)?.largest
  return anchor ? cheapestWith(anchor, candidates(anchor, shares, limits), limits) : []
}

/** As many as fit if there were no padding, one of each share in turn; smallest first. */
const candidates = <Item, Result>(
  anchor: Entry<Item, Result>,
  shares: readonly Share<Item, Result>[],
  limits: BatchLimits,
): Entry<Item, Result>[] => {
  const chosen = new Set([anchor])
  let tokens = anchor.size
  let offers = shares.map((share) => share.near(anchor.size))
  while (offers.length > 0) {
    offers = offers.filter((offer) => {
      const { value, done } = offer.next()
      if (done) return false
      if (chosen.has(value)) return true
      if (chosen.size >= limits.items || tokens + value.size > limits.tokens) return false
      tokens += value.size
      chosen.add(value)
      return true
    })
  }
  return [...chosen].sort((one, other) => one.size - other.size)
}

/** The run of neighbours in size that holds the anchor and has the largest part of useful tokens. */
const cheapestWith = <Item, Result>(
  anchor: Entry<Item, Result>,
  sorted: readonly Entry<Item, Result>[],
  limits: BatchLimits,
): Entry<Item, Result>[] => {
  const position = sorted.indexOf(anchor)
  let best = { from: position, to: position, worth: -1 }
  let upToAnchor = 0
  for (let to = position; to < sorted.length; to += 1) {
    const width = sorted[to]?.size ?? 0
    upToAnchor += width
    let useful = upToAnchor
    for (let from = position; from >= 0; from -= 1) {
      if (from < position) useful += sorted[from]?.size ?? 0
      const padded = (to - from + 1) * width
      if (padded > limits.tokens && to > from) break
      const worth = useful / (padded + overhead)
      if (worth >= best.worth) best = { from, to, worth }
    }
  }
  return sorted.slice(best.from, best.to + 1)
}
