import { setTimeout as delay } from 'node:timers/promises'

/** How long a batch waits for more calls, in milliseconds. */
export const maxDelay = 5

/** The items that are ready to be evaluated. */
export interface ReadyItems {
  readonly calls: number
  /** Whether a batch would be no larger if more came. */
  readonly fillsBatch: boolean
}

/**
 * Delays a batch until more calls have come. Clients that send their next text when they have the answer to the last one
 * come back together, but not at the same moment: without a pause, the first to come back would be served alone, and
 * the others after it. There is no delay on an idle model, or where a whole batch is ready.
 */
export class BatchDelay {
  private expectedCalls = 1
  private until = 0
  private wake: (() => void) | undefined

  constructor(private readonly waiting: () => ReadyItems) {}

  /** Tells that a batch of so many calls has been evaluated. */
  batchEnded(calls: number): void {
    this.expectedCalls = calls
    this.until = performance.now() + maxDelay
  }

  /** Tells that an item is ready. */
  itemReady(): void {
    if (this.wake && this.isEnough()) this.wake()
  }

  /**
   * Resolves when as many calls wait as the last batch had, or when their items fill a batch; at the latest
   * {@link maxDelay} after the last batch.
   */
  async wait(): Promise<void> {
    const left = this.until - performance.now()
    if (this.expectedCalls < 2 || left <= 0 || this.isEnough()) return
    const late = new AbortController()
    const together = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    await Promise.race([together, delay(left, undefined, { signal: late.signal }).catch(() => undefined)])
    this.wake = undefined
    late.abort()
  }

  private isEnough(): boolean {
    const { calls, fillsBatch } = this.waiting()
    return calls >= this.expectedCalls || fillsBatch
  }
}
