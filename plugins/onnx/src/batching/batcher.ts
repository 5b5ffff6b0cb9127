import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { Company } from './company.js'
import type { ReadyItems } from './company.js'
import { nextBatch, smallPart } from './next-batch.js'
import type { BatchLimits } from './next-batch.js'
import { Pace } from './pace.js'
import { Share } from './share.js'
import type { Entry } from './share.js'

export interface BatcherOptions<Item, Result> extends BatchLimits {
  /** The size of an item in tokens. */
  readonly sizeOf: (item: Item) => number
  /** One result per item, in order. It may hold the event loop, which turns between two evaluations. */
  readonly evaluate: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Items that may wait; a call that finds the queue empty is taken whatever its size. */
  readonly queue: number
}

/**
 * Max milliseconds for which the batcher hears of new calls, and of calls that were given up, before it evaluates a
 * batch. It never takes longer than the last batch did.
 */
const maxIntake = 100
/** Milliseconds without news after which nothing more is on its way: the other side fills the channel again. */
const silence = 5
/** A batch of so many milliseconds makes a pause before it negligible. */
const longBatch = 50
/** Milliseconds after a call was given up in which others may be given up, too. */
const restless = 1000

/**
 * Evaluates the items of concurrent calls together: in batches of similar sizes, bounded by tokens, with a fair part
 * for each tenant, and of that for each of its calls. An item that fails does not harm its neighbours.
 */
export class Batcher<Item, Result> {
  private shares: Share<Item, Result>[] = []
  /** The tenants that have calls, in the order of their turns. */
  private readonly tenants = new Set<string>()
  /** Whose turn the last batch was. */
  private served: string | undefined
  /** Calls that came, and calls that were given up. */
  private news = 0
  /** When a call was last given up, on the clock of `performance.now()`. */
  private leftAt = -Infinity
  private working = false
  /** Whether the last batch was that of a small call before its turn. */
  private overtook = false
  private readonly company = new Company(() => this.waiting())
  private readonly pace = new Pace()

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  /**
   * The results in the order of the sources, of each of which an item is made when the call has been admitted.
   * @throws overloaded; the signal's reason; what making or evaluating throws
   */
  async run<Source>(
    sources: readonly Source[],
    make: (source: Source) => Item | Promise<Item>,
    { signal, tenant }: Requester,
  ): Promise<Result[]> {
    signal.throwIfAborted()
    if (sources.length === 0) return []
    this.admit(sources.length, tenant)
    const share = new Share<Item, Result>(sources.length, tenant, this.options.sizeOf)
    const leave = () => this.leave(share, signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    this.shares.push(share)
    this.tenants.add(tenant)
    this.news += 1
    for (const [index, source] of sources.entries()) void this.prepare(share, index, source, make)
    try {
      return await share.finished
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  private async prepare<Source>(
    share: Share<Item, Result>,
    index: number,
    source: Source,
    make: (source: Source) => Item | Promise<Item>,
  ): Promise<void> {
    try {
      share.add(index, await make(source))
      this.company.arrived()
      void this.work()
    } catch (error) {
      share.fail(error)
      this.forgetEnded()
    }
  }

  /** Where there is no room, the last call of the tenant with most items gives way to one with fewer. */
  private admit(count: number, tenant: string): void {
    for (
      let waiting = this.unfinished();
      waiting > 0 && waiting + count > this.options.queue;
      waiting = this.unfinished()
    ) {
      const error = failure('overloaded', {}, { retryAfter: this.pace.secondsFor(waiting) })
      const most = [...this.tenants].sort((one, other) => this.unfinished(other) - this.unfinished(one))[0] ?? tenant
      if (this.unfinished(most) <= this.unfinished(tenant) + count) throw error
      const last = this.shares.findLast((share) => share.tenant === most && share.unfinished > 0)
      if (last) this.leave(last, error)
    }
  }

  /** Items of all tenants, or of one. */
  private unfinished(tenant?: string): number {
    return sumOf(this.shares, (share) => (tenant === undefined || share.tenant === tenant ? share.unfinished : 0))
  }

  private waiting(): ReadyItems {
    const { shares, options } = this
    const tokens = sumOf(shares, (share) => share.tokens)
    const items = sumOf(shares, ({ waiting }) => waiting)
    return {
      calls: shares.filter(({ waiting }) => waiting > 0).length,
      fillsBatch: tokens >= options.tokens || items >= options.items,
    }
  }

  private leave(share: Share<Item, Result>, reason: unknown): void {
    share.fail(reason)
    this.news += 1
    this.leftAt = performance.now()
    this.forgetEnded()
  }

  private forgetEnded(): void {
    this.shares = this.shares.filter(({ ended }) => !ended)
    const left = new Set(this.shares.map(({ tenant }) => tenant))
    for (const tenant of this.tenants) if (!left.has(tenant)) this.tenants.delete(tenant)
  }

  private async work(): Promise<void> {
    if (this.working) return
    this.working = true
    while (this.shares.some(({ waiting }) => waiting > 0)) {
      await this.takeIn()
      await this.company.gather()
      this.endTurn()
      const batch = this.smallBatch() ?? nextBatch(this.inTurns(), this.options)
      if (batch.length > 0) await this.evaluateBatch(batch)
      this.forgetEnded()
    }
    this.working = false
  }

  /**
   * A turn of the event loop reads only so much of what waits in the channel, and a call that was given up has its end
   * behind all others': under a flood of calls, one turn per batch would evaluate mostly for those who have left.
   */
  private async takeIn(): Promise<void> {
    const { milliseconds } = this.pace
    const end = performance.now() + Math.min(maxIntake, milliseconds)
    let before: number
    do {
      before = this.news
      await turn()
      if (milliseconds < longBatch) return
      const isFlood = before !== this.news && this.waiting().fillsBatch
      if (!isFlood && performance.now() - this.leftAt > restless) return
      before = this.news
      await delay(silence)
    } while (before !== this.news && performance.now() < end)
  }

  /**
   * Small calls go before others, at most every other time and where one batch serves all of the first: they would wait
   * for a batch of each large one, and those hardly wait for them. One whose turn it is stays among its like as well:
   * in a batch with a few large items its own would be served in as many batches as it has sizes.
   */
  private smallBatch(): Entry<Item, Result>[] | undefined {
    const { tokens } = this.options
    const all = this.inTurns()
    const small = all.map((shares) => shares.filter((share) => share.isWithin(tokens * smallPart)))
    const first = small.find(({ length }) => length > 0)?.[0]
    const isNext = first === all[0]?.[0]
    const mayOvertake = !this.overtook
    this.overtook = false
    if (!isNext && !mayOvertake) return undefined
    const batch = nextBatch(small, this.options)
    const served = batch.filter(({ share }) => share === first)
    if (served.length === 0 || served.length < (first?.unfinished ?? 0)) return undefined
    this.overtook = !isNext
    return batch
  }

  /** Not at once: who came during the batch goes first, and is heard of when it has ended. */
  private endTurn(): void {
    if (this.served !== undefined && this.tenants.delete(this.served)) this.tenants.add(this.served)
    this.served = undefined
  }

  /** The calls of each tenant. */
  private inTurns(): Share<Item, Result>[][] {
    const calls = new Map<string, Share<Item, Result>[]>(Array.from(this.tenants, (tenant) => [tenant, []]))
    for (const share of this.shares) calls.get(share.tenant)?.push(share)
    return [...calls.values()]
  }

  private async evaluateBatch(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const entries = new Set(batch)
    const calls = new Set(batch.map(({ share }) => share))
    this.served = [...this.tenants].find((tenant) => batch.some(({ share }) => share.tenant === tenant))
    for (const share of calls) share.take(entries)
    const started = performance.now()
    await this.evaluateTogether(batch)
    this.pace.evaluated(batch.length, performance.now() - started)
    this.company.evaluated(calls.size)
    // who was served goes behind the others, also behind those who have come meanwhile
    const served = this.shares.filter((share) => calls.has(share))
    this.shares = [...this.shares.filter((share) => !calls.has(share)), ...served]
  }

  /** Where a batch fails, its items are tried alone: what harms one of them does not harm the others. */
  private async evaluateTogether(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      await this.evaluate(batch)
    } catch (error) {
      if (batch.length === 1) batch[0]?.share.fail(error)
      else for (const entry of batch) await this.evaluateAlone(entry)
    }
  }

  private async evaluateAlone(entry: Entry<Item, Result>): Promise<void> {
    await turn()
    if (entry.share.ended) return
    await this.evaluate([entry]).catch((error: unknown) => entry.share.fail(error))
  }

  private async evaluate(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const results = await this.options.evaluate(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error(`${results.length} results came for ${batch.length} items`)
    for (const [position, result] of results.entries()) {
      const entry = batch[position]
      entry?.share.settle(entry.index, result)
    }
  }
}

const sumOf = <Value>(values: readonly Value[], measure: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + measure(value), 0)
