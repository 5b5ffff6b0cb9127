import type { PendingItem, PendingCall } from './pending-call.js'

export interface BatchLimits {
  /** The maximum number of tokens in a batch, padding included. A larger item is evaluated alone. */
  readonly maxTokens: number
  readonly maxItems: number
}

/** The fixed cost of an evaluation, in tokens; 8 to 20 were measured on small encoders. */
const batchOverhead = 16

/**
 * A call is small up to this fraction of a batch. The other tenants may each have at least this fraction of a batch,
 * even if the tenant whose turn it is needs less.
 */
export const smallFraction = 1 / 8

/**
 * Chooses what is evaluated next. The first call that has items is always served, with its largest item; the others
 * join in turns with the items nearest in size, as far as that is cheaper than an evaluation of their own. A caller
 * that moves served calls to the end of the line serves every call within as many batches as there are calls.
 * @param tenants the calls of each, in the order of their turns
 */
export const nextBatch = <Item, Result>(
  tenants: readonly (readonly PendingCall<Item, Result>[])[],
  limits: BatchLimits,
): PendingItem<Item, Result>[] => {
  const first = tenants.findIndex((calls) => calls.some(({ largest }) => largest))
  const anchor = tenants[first]?.find(({ largest }) => largest)?.largest
  return anchor ? mostEfficientRun(anchor, candidates(anchor, tenants.slice(first), limits), limits) : []
}

/**
 * As many items as would fit without padding, smallest first. Tenants take turns, and so do the calls of each. Once the
 * first tenant's items are used up, no other tenant gets more tokens than the first one got (or {@link smallFraction}
 * of a batch), because the first one waits for the whole batch.
 */
const candidates = <Item, Result>(
  anchor: PendingItem<Item, Result>,
  tenants: readonly (readonly PendingCall<Item, Result>[])[],
  limits: BatchLimits,
): PendingItem<Item, Result>[] => {
  const chosen = new Set([anchor])
  let tokens = anchor.size
  const fits = (item: PendingItem<Item, Result>) =>
    chosen.size < limits.maxItems && tokens + item.size <= limits.maxTokens
  const queues = tenants.map((calls) => new TenantQueue(calls, anchor))
  const [firstQueue] = queues
  let open = queues
  while (open.length > 0)
    open = open.filter((queue) => {
      const isFull =
        queue !== firstQueue &&
        firstQueue?.isEmpty &&
        queue.tokens >= Math.max(firstQueue.tokens, limits.maxTokens * smallFraction)
      const item = isFull ? undefined : queue.next(fits)
      if (!item) return false
      if (item !== anchor) tokens += item.size
      chosen.add(item)
      return true
    })
  return [...chosen].sort((one, other) => one.size - other.size)
}

/** The items of one tenant that may join an anchor: its calls take turns, each with its nearest item in size. */
class TenantQueue<Item, Result> {
  /** Tokens of the items taken so far, and of the anchor if it is the tenant's. */
  tokens = 0
  private iterators: Iterator<PendingItem<Item, Result>, void>[]

  constructor(
    calls: readonly PendingCall<Item, Result>[],
    private readonly anchor: PendingItem<Item, Result>,
  ) {
    if (calls.includes(anchor.call)) this.tokens = anchor.size
    this.iterators = calls.map((call) => call.nearestTo(anchor.size))
  }

  get isEmpty(): boolean {
    return this.iterators.length === 0
  }

  /** The next item that fits. A call whose next item does not fit is left out from then on. */
  next(fits: (item: PendingItem<Item, Result>) => boolean): PendingItem<Item, Result> | undefined {
    for (let iterator = this.iterators.shift(); iterator; iterator = this.iterators.shift()) {
      const { value, done } = iterator.next()
      if (done) continue
      const isAnchor = value === this.anchor
      if (!isAnchor && !fits(value)) continue
      this.iterators.push(iterator)
      if (!isAnchor) this.tokens += value.size
      return value
    }
    return undefined
  }
}

/** The consecutive items, sorted by size, that include the anchor and have the largest share of useful tokens. */
const mostEfficientRun = <Item, Result>(
  anchor: PendingItem<Item, Result>,
  sorted: readonly PendingItem<Item, Result>[],
  limits: BatchLimits,
): PendingItem<Item, Result>[] => {
  const position = sorted.indexOf(anchor)
  let best = { from: position, to: position, efficiency: -1 }
  let fromAnchor = 0
  for (let to = position; to < sorted.length; to += 1) {
    const paddedLength = sorted[to]?.size ?? 0
    fromAnchor += paddedLength
    let useful = fromAnchor
    for (let from = position; from >= 0; from -= 1) {
      if (from < position) useful += sorted[from]?.size ?? 0
      const padded = (to - from + 1) * paddedLength
      if (padded > limits.maxTokens && to > from) break
      const efficiency = useful / (padded + batchOverhead)
      if (efficiency >= best.efficiency) best = { from, to, efficiency }
    }
  }
  return sorted.slice(best.from, best.to + 1)
}
