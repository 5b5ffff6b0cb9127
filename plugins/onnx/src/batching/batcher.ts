import { setImmediate as nextEventLoopTurn, setTimeout as delay } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { BatchDelay } from './batch-delay.js'
import type { ReadyItems } from './batch-delay.js'
import { nextBatch, smallFraction } from './next-batch.js'
import type { BatchLimits } from './next-batch.js'
import { Throughput } from './throughput.js'
import { PendingCall } from './pending-call.js'
import type { PendingItem } from './pending-call.js'

export interface BatcherOptions<Item, Result> extends BatchLimits {
  /** The size of an item in tokens. */
  readonly sizeOf: (item: Item) => number
  /** Returns one result per item, in order. It may block the event loop: the batcher yields between two evaluations. */
  readonly evaluate: (items: readonly Item[]) => Promise<readonly Result[]>
  /** The maximum number of items that wait; a call that finds none waiting is admitted whatever its size. */
  readonly maxQueued: number
  /** Absent where items are made at once. */
  readonly preparation?: Preparation
}

/** What makes the items in the background. It goes on only while the event loop turns. */
export interface Preparation {
  /** The tenants for whom something is being made. */
  readonly tenants: Iterable<string>
  /** Resolves when something more has been made. */
  batchDone(): Promise<void>
}

/**
 * The longest time, in milliseconds, that the batcher receives new calls and cancellations before it evaluates a batch;
 * never more than the last batch took.
 */
const maxIntakeTime = 100
/** The kernel's process counts as having sent everything when nothing has arrived for this long, in milliseconds. */
const quietPeriod = 5
/** For batches that take at least this long, in milliseconds, a short pause before them is negligible. */
const longBatch = 50
/** How long a batch waits for the items of a tenant that has none ready: a quarter of the last batch, in these bounds. */
const preparationTime = { fraction: 0.25, min: 5, max: 20 }
/** How long after a cancellation others are likely, in milliseconds. */
const cancellationPeriod = 1000

/**
 * Evaluates the items of concurrent calls together: in batches of items of similar size, bounded by tokens, with a fair
 * share for each tenant and, within it, for each of its calls. An item that fails does not fail the rest of its batch.
 */
export class Batcher<Item, Result> {
  private calls: PendingCall<Item, Result>[] = []
  /** The tenants that have calls, in the order of their turns. */
  private readonly tenants = new Set<string>()
  /** The tenant whose turn the last batch was. */
  private servedTenant: string | undefined
  /** Counts the calls that came and the calls that were cancelled. */
  private changes = 0
  /** The time of the last cancellation, on the clock of `performance.now()`. */
  private lastCancelledAt = -Infinity
  private isWorking = false
  /** Whether the last batch served a small call before its turn. */
  private lastOvertook = false
  private readonly batchDelay = new BatchDelay(() => this.readyItems())
  private readonly throughput = new Throughput()

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  /**
   * Returns the results in the order of the sources. Items are made from the sources when the call has been admitted.
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
    const call = new PendingCall<Item, Result>(sources.length, tenant, this.options.sizeOf)
    const onAbort = () => this.cancel(call, signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.calls.push(call)
    this.tenants.add(tenant)
    this.changes += 1
    for (const [index, source] of sources.entries()) void this.prepare(call, index, source, make)
    try {
      return await call.finished
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  private async prepare<Source>(
    call: PendingCall<Item, Result>,
    index: number,
    source: Source,
    make: (source: Source) => Item | Promise<Item>,
  ): Promise<void> {
    try {
      call.add(index, await make(source))
      this.batchDelay.itemReady()
      void this.work()
    } catch (error) {
      call.fail(error)
      this.forgetEnded()
    }
  }

  /** Where the queue is full, the tenant with the most items loses its last call to one with fewer items. */
  private admit(count: number, tenant: string): void {
    for (;;) {
      const unfinished = this.unfinishedCount()
      if (unfinished === 0 || unfinished + count <= this.options.maxQueued) return
      const error = failure('overloaded', {}, { retryAfter: this.throughput.secondsFor(unfinished) })
      const most =
        [...this.tenants].sort((one, other) => this.unfinishedCount(other) - this.unfinishedCount(one))[0] ?? tenant
      if (this.unfinishedCount(most) <= this.unfinishedCount(tenant) + count) throw error
      const last = this.calls.findLast((call) => call.tenant === most && call.unfinishedCount > 0)
      if (last) this.cancel(last, error)
    }
  }

  /** Items without a result, of one tenant or of all. */
  private unfinishedCount(tenant?: string): number {
    return sumOf(this.calls, (call) => (tenant === undefined || call.tenant === tenant ? call.unfinishedCount : 0))
  }

  private readyItems(): ReadyItems {
    const { maxTokens, maxItems } = this.options
    const calls = this.calls.filter(({ readyCount }) => readyCount > 0)
    const tokens = sumOf(calls, ({ readyTokens }) => readyTokens)
    const items = sumOf(calls, ({ readyCount }) => readyCount)
    return { calls: calls.length, fillsBatch: tokens >= maxTokens || items >= maxItems }
  }

  private cancel(call: PendingCall<Item, Result>, reason: unknown): void {
    call.fail(reason)
    this.changes += 1
    this.lastCancelledAt = performance.now()
    this.forgetEnded()
  }

  private forgetEnded(): void {
    this.calls = this.calls.filter(({ hasEnded }) => !hasEnded)
    const left = new Set(this.calls.map(({ tenant }) => tenant))
    for (const tenant of this.tenants) if (!left.has(tenant)) this.tenants.delete(tenant)
  }

  private async work(): Promise<void> {
    if (this.isWorking) return
    this.isWorking = true
    while (this.calls.some(({ readyCount }) => readyCount > 0)) {
      await this.receiveChanges()
      await this.receiveItems()
      await this.batchDelay.wait()
      this.endTurn()
      const batch = this.smallBatch() ?? nextBatch(this.callsByTenant(), this.options)
      if (batch.length > 0) await this.evaluateBatch(batch)
      this.forgetEnded()
    }
    this.isWorking = false
  }

  /**
   * Lets the calls and cancellations that have been sent arrive before a batch is chosen. One turn of the event loop
   * reads only some of the messages, and cancellations come after all calls: otherwise a burst of calls would have the
   * model evaluate mostly cancelled ones.
   */
  private async receiveChanges(): Promise<void> {
    const { lastBatchTime } = this.throughput
    const end = performance.now() + Math.min(maxIntakeTime, lastBatchTime)
    let before: number
    do {
      before = this.changes
      await nextEventLoopTurn()
      if (lastBatchTime < longBatch) return
      const isBurst = before !== this.changes && this.readyItems().fillsBatch
      if (!isBurst && performance.now() - this.lastCancelledAt > cancellationPeriod) return
      before = this.changes
      await delay(quietPeriod)
    } while (before !== this.changes && performance.now() < end)
  }

  /**
   * Lets a tenant that has calls and nothing ready get its items: while a batch is evaluated none are made, so it would
   * wait for one more batch of the others.
   */
  private async receiveItems(): Promise<void> {
    const { preparation } = this.options
    if (!preparation) return
    const { fraction, min, max } = preparationTime
    const end = performance.now() + Math.min(max, Math.max(min, this.throughput.lastBatchTime * fraction))
    const hasReady = (tenant: string) => this.calls.some((call) => call.tenant === tenant && call.readyCount > 0)
    const isBehind = (tenant: string) => this.tenants.has(tenant) && !hasReady(tenant)
    while ([...preparation.tenants].some(isBehind) && performance.now() < end) {
      await preparation.batchDone()
      await nextEventLoopTurn()
    }
  }

  /**
   * A batch of small calls, if they may go first. They do at most every other time, and only where one batch serves all
   * items of the first of them. Without this, a small call would wait for a batch of every large call, although it
   * delays the large calls little. A small call whose turn it is also shares its batch with small ones only: among a
   * few large items, its items would be split over as many batches as the large ones have sizes.
   */
  private smallBatch(): PendingItem<Item, Result>[] | undefined {
    const { maxTokens } = this.options
    const all = this.callsByTenant()
    const small = all.map((calls) => calls.filter((call) => call.fitsWhole(maxTokens * smallFraction)))
    const first = small.find(({ length }) => length > 0)?.[0]
    const isNext = first === all[0]?.[0]
    const mayOvertake = !this.lastOvertook
    this.lastOvertook = false
    if (!isNext && !mayOvertake) return undefined
    const batch = nextBatch(small, this.options)
    const served = batch.filter(({ call }) => call === first)
    if (served.length === 0 || served.length < (first?.unfinishedCount ?? 0)) return undefined
    this.lastOvertook = !isNext
    return batch
  }

  /** Called before the next batch rather than after the last one, so that tenants who came in the meantime go first. */
  private endTurn(): void {
    if (this.servedTenant !== undefined && this.tenants.delete(this.servedTenant)) this.tenants.add(this.servedTenant)
    this.servedTenant = undefined
  }

  /** The calls of each tenant, in the order of their turns. */
  private callsByTenant(): PendingCall<Item, Result>[][] {
    const calls = new Map<string, PendingCall<Item, Result>[]>(Array.from(this.tenants, (tenant) => [tenant, []]))
    for (const call of this.calls) calls.get(call.tenant)?.push(call)
    return [...calls.values()]
  }

  private async evaluateBatch(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    const items = new Set(batch)
    const calls = new Set(batch.map(({ call }) => call))
    this.servedTenant = [...this.tenants].find((tenant) => batch.some(({ call }) => call.tenant === tenant))
    for (const call of calls) call.take(items)
    const started = performance.now()
    await this.evaluateTogether(batch)
    this.throughput.record(batch.length, performance.now() - started)
    this.batchDelay.batchEnded(calls.size)
    // Calls that were served go to the end of the line, after those that arrived in the meantime.
    this.calls.sort((one, other) => Number(calls.has(one)) - Number(calls.has(other)))
  }

  /** Where a batch fails, its items are tried one by one, so that a bad item fails alone. */
  private async evaluateTogether(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      await this.evaluate(batch)
    } catch (error) {
      if (batch.length === 1) batch[0]?.call.fail(error)
      else
        for (const item of batch) {
          await nextEventLoopTurn()
          if (!item.call.hasEnded) await this.evaluate([item]).catch((reason: unknown) => item.call.fail(reason))
        }
    }
  }

  private async evaluate(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    const results = await this.options.evaluate(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error(`${results.length} results came for ${batch.length} items`)
    for (const [position, { call, index }] of batch.entries()) call.setResult(index, results[position] as Result)
  }
}

const sumOf = <Value>(values: readonly Value[], measure: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + measure(value), 0)
