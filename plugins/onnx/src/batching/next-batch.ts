import type { Entry, Share } from './share.js'

export interface BatchLimits {
  /** Tokens of a batch, padding included. A larger item is evaluated alone. */
  readonly tokens: number
  readonly items: number
}

/** What an evaluation costs beyond its tokens, in tokens; measured 8 to 20 on small encoders. */
const overhead = 16

/** Part of a batch up to which calls are small, and which other tenants have at least in one whose turn it is. */
export const smallPart = 1 / 8

/**
 * Chooses what is evaluated next. The first share that has items is served for sure, with its largest item; the others
 * join in turns with the items nearest in size, as far as that is cheaper than an evaluation of their own. Whoever puts
 * that first share last afterwards serves every share within as many batches as there are shares.
 * @param tenants the shares of each, in the order of their turns
 */
export const nextBatch = <Item, Result>(
  tenants: readonly (readonly Share<Item, Result>[])[],
  limits: BatchLimits,
): Entry<Item, Result>[] => {
  const first = tenants.findIndex((shares) => shares.some(({ largest }) => largest))
  const anchor = tenants[first]?.find(({ largest }) => largest)?.largest
  return anchor ? cheapestWith(anchor, candidates(anchor, tenants.slice(first), limits), limits) : []
}

/**
 * As many as fit if there were no padding, one of each tenant in turn, and of its shares; smallest first. When the first
 * tenant has no more, no other one gets more than it has: it would wait for them.
 */
const candidates = <Item, Result>(
  anchor: Entry<Item, Result>,
  tenants: readonly (readonly Share<Item, Result>[])[],
  limits: BatchLimits,
): Entry<Item, Result>[] => {
  const chosen = new Set([anchor])
  let tokens = anchor.size
  const fits = (entry: Entry<Item, Result>) => chosen.size < limits.items && tokens + entry.size <= limits.tokens
  const lines = tenants.map((shares) => new Line(shares, anchor))
  const [own] = lines
  let left = lines
  while (left.length > 0)
    left = left.filter((line) => {
      const isFull = line !== own && own?.isEmpty && line.tokens >= Math.max(own.tokens, limits.tokens * smallPart)
      const entry = isFull ? undefined : line.next(fits)
      if (!entry) return false
      if (entry !== anchor) tokens += entry.size
      chosen.add(entry)
      return true
    })
  return [...chosen].sort((one, other) => one.size - other.size)
}

/** What the shares of one tenant offer beside an anchor, one of each in turn. */
class Line<Item, Result> {
  /** Of what was taken, and of the anchor if it is the tenant's. */
  tokens = 0
  private offers: Iterator<Entry<Item, Result>, void>[]

  constructor(
    shares: readonly Share<Item, Result>[],
    private readonly anchor: Entry<Item, Result>,
  ) {
    if (shares.includes(anchor.share)) this.tokens = anchor.size
    this.offers = shares.map((share) => share.near(anchor.size))
  }

  get isEmpty(): boolean {
    return this.offers.length === 0
  }

  /** A share that offers one that does not fit offers no more. */
  next(fits: (entry: Entry<Item, Result>) => boolean): Entry<Item, Result> | undefined {
    for (let offer = this.offers.shift(); offer; offer = this.offers.shift()) {
      const { value, done } = offer.next()
      if (done) continue
      const isAnchor = value === this.anchor
      if (!isAnchor && !fits(value)) continue
      this.offers.push(offer)
      if (!isAnchor) this.tokens += value.size
      return value
    }
    return undefined
  }
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
