import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { BatchDelay } from './batch-delay.js'
import type { ReadyItems } from './batch-delay.js'
import { nextBatch, smallFraction } from './next-batch.js'
import type { BatchLimits } from './next-batch.js'
import { Throughput } from './throughput.js'
import { PendingCall } from './pending-call.js'
import type { Entry } from './pending-call.js'

export interface BatcherOptions<Item, Result> extends BatchLimits {
  /** The size of an item in tokens. */
  readonly sizeOf: (item: Item) => number
  /** One result per item, in order. It may hold the event loop, which turns between two evaluations. */
  readonly evaluate: (items: readonly Item[]) => Promise<readonly Result[]>
  /** Items that may wait; a call that finds the queue empty is taken whatever its size. */
  readonly queue: number
}

/**
 * Milliseconds for which the batcher at most receives new calls and cancellations before it evaluates a batch. It never
 * takes longer than the last batch did.
 */
const maxIntake = 100
/** After so many milliseconds without a change nothing more is on its way: the sender refills the channel in less. */
const quietPeriod = 5
/** From this duration of a batch on, in milliseconds, a pause before it is negligible. */
const longBatch = 50
/** For so many milliseconds after a cancellation more of them are likely. */
const cancellationPeriod = 1000

/**
 * Evaluates the items of concurrent calls together: in batches of similar sizes, bounded by tokens, with a fair part
 * for each tenant, and of that for each of its calls. An item that fails does not harm its neighbours.
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
    for (
      let waiting = this.unfinished();
      waiting > 0 && waiting + count > this.options.queue;
      waiting = this.unfinished()
    ) {
      const error = failure('overloaded', {}, { retryAfter: this.throughput.secondsFor(waiting) })
      const most = [...this.tenants].sort((one, other) => this.unfinished(other) - this.unfinished(one))[0] ?? tenant
      if (this.unfinished(most) <= this.unfinished(tenant) + count) throw error
      const last = this.calls.findLast((call) => call.tenant === most && call.unfinished > 0)
      if (last) this.cancel(last, error)
    }
  }

  /** Items without a result, of one tenant or of all. */
  private unfinished(tenant?: string): number {
    return sumOf(this.calls, (call) => (tenant === undefined || call.tenant === tenant ? call.unfinished : 0))
  }

  private readyItems(): ReadyItems {
    const { calls, options } = this
    const tokens = sumOf(calls, (call) => call.readyTokens)
    const items = sumOf(calls, ({ readyCount }) => readyCount)
    return {
      calls: calls.filter(({ readyCount }) => readyCount > 0).length,
      fillsBatch: tokens >= options.tokens || items >= options.items,
    }
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
      await this.hearChanges()
      await this.batchDelay.wait()
      this.endTurn()
      const batch = this.smallBatch() ?? nextBatch(this.callsByTenant(), this.options)
      if (batch.length > 0) await this.evaluateBatch(batch)
      this.forgetEnded()
    }
    this.isWorking = false
  }

  /**
   * A turn of the event loop reads only a part of what waits in the channel, and a cancellation stands there behind all
   * calls. With one turn per batch, a flood of calls would have the model evaluate mostly cancelled ones.
   */
  private async hearChanges(): Promise<void> {
    const { lastBatchTime } = this.throughput
    const end = performance.now() + Math.min(maxIntake, lastBatchTime)
    let before: number
    do {
      before = this.changes
      await turn()
      if (lastBatchTime < longBatch) return
      const isFlood = before !== this.changes && this.readyItems().fillsBatch
      if (!isFlood && performance.now() - this.lastCancelledAt > cancellationPeriod) return
      before = this.changes
      await delay(quietPeriod)
    } while (before !== this.changes && performance.now() < end)
  }

  /**
   * A batch of small calls, if they may go first. They do at most every other time, and only where one batch serves all
   * items of the first of them: otherwise they would wait for a batch of each large call, which hardly waits for them.
   * A small call whose turn it is also shares its batch with small ones only: beside a few large items, its own would be
   * spread over as many batches as they have sizes.
   */
  private smallBatch(): Entry<Item, Result>[] | undefined {
    const { tokens } = this.options
    const all = this.callsByTenant()
    const small = all.map((calls) => calls.filter((call) => call.fitsWhole(tokens * smallFraction)))
    const first = small.find(({ length }) => length > 0)?.[0]
    const isNext = first === all[0]?.[0]
    const mayOvertake = !this.lastOvertook
    this.lastOvertook = false
    if (!isNext && !mayOvertake) return undefined
    const batch = nextBatch(small, this.options)
    const served = batch.filter(({ call }) => call === first)
    if (served.length === 0 || served.length < (first?.unfinished ?? 0)) return undefined
    this.lastOvertook = !isNext
    return batch
  }

  /** Called before the next batch rather than after the last one, so that tenants who came meanwhile go first. */
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

  private async evaluateBatch(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const entries = new Set(batch)
    const calls = new Set(batch.map(({ call }) => call))
    this.servedTenant = [...this.tenants].find((tenant) => batch.some(({ call }) => call.tenant === tenant))
    for (const call of calls) call.take(entries)
    const started = performance.now()
    await this.evaluateTogether(batch)
    this.throughput.record(batch.length, performance.now() - started)
    this.batchDelay.batchEnded(calls.size)
    // Calls that were served go behind all others, those included that have come meanwhile.
    const served = this.calls.filter((call) => calls.has(call))
    this.calls = [...this.calls.filter((call) => !calls.has(call)), ...served]
  }

  /** Where a batch fails, its items are tried one by one, so that a bad item fails alone. */
  private async evaluateTogether(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      await this.evaluate(batch)
    } catch (error) {
      if (batch.length === 1) batch[0]?.call.fail(error)
      else for (const entry of batch) await this.evaluateAlone(entry)
    }
  }

  private async evaluateAlone(entry: Entry<Item, Result>): Promise<void> {
    await turn()
    if (entry.call.hasEnded) return
    await this.evaluate([entry]).catch((error: unknown) => entry.call.fail(error))
  }

  private async evaluate(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const results = await this.options.evaluate(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error(`${results.length} results came for ${batch.length} items`)
    for (const [position, result] of results.entries()) {
      const entry = batch[position]
      entry?.call.settle(entry.index, result)
    }
  }
}

const sumOf = <Value>(values: readonly Value[], measure: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + measure(value), 0)
