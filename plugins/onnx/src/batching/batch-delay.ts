import { setTimeout as delay } from 'node:timers/promises'

/** How long a batch waits for more calls, in milliseconds. */
export const maxDelay = 5

/** The items that are ready to be evaluated. */
export interface ReadyItems {
  readonly calls: number
  /** Whether they fill a batch, so that waiting for more calls gains nothing. */
  readonly fillsBatch: boolean
}

/**
 * Delays a batch until more calls have come. Clients that send their next text when they have the answer to the last
 * one come back together, but not at the same moment: without a pause, the first to come back would be served alone,
 * and the others after it. There is no delay on an idle model, or where the ready items fill a batch.
 */
export class BatchDelay {
  private expectedCalls = 1
  private until = 0
  private pause: AbortController | undefined

  constructor(private readonly readyItems: () => ReadyItems) {}

  /** Called when a batch has been evaluated. @param calls how many calls had items in it */
  batchEnded(calls: number): void {
    this.expectedCalls = calls
    this.until = performance.now() + maxDelay
  }

  /** Called when an item has become ready. */
  itemReady(): void {
    if (this.pause && this.isEnough()) this.pause.abort()
  }

  /**
   * Resolves when as many calls have ready items as the last batch had, or when their items fill a batch; at the latest
   * {@link maxDelay} after the last batch.
   */
  async wait(): Promise<void> {
    const left = this.until - performance.now()
    if (this.expectedCalls < 2 || left <= 0 || this.isEnough()) return
    this.pause = new AbortController()
    await delay(left, undefined, { signal: this.pause.signal }).catch(() => undefined)
    this.pause = undefined
  }

  private isEnough(): boolean {
    const { calls, fillsBatch } = this.readyItems()
    return calls >= this.expectedCalls || fillsBatch
  }
}
