import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. */
export const maxWait = 5

/** What is ready to be evaluated. */
export interface ReadyItems {
  readonly calls: number
  /** Whether a batch would be no larger if more came. */
  readonly fillsBatch: boolean
}

/**
 * Whether a batch waits for more calls. Clients that send their next text when they have the answer to the last one
 * come back together, but not at the same moment: without a pause, the first to come back would be served alone, and
 * the others after it. On an idle model nobody waits, and nobody where there is work for a whole batch.
 */
export class Company {
  private expected = 1
  private until = 0
  private wake: (() => void) | undefined

  constructor(private readonly waiting: () => ReadyItems) {}

  /** A batch of so many calls has been evaluated. */
  evaluated(calls: number): void {
    this.expected = calls
    this.until = performance.now() + maxWait
  }

  /** An item is ready. */
  arrived(): void {
    if (this.wake && this.suffices()) this.wake()
  }

  /**
   * Resolves when as many calls wait as the last batch had, or what fills a batch, at the latest {@link maxWait}
   * after the last one.
   */
  async gather(): Promise<void> {
    const left = this.until - performance.now()
    if (this.expected < 2 || left <= 0 || this.suffices()) return
    const late = new AbortController()
    const together = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    await Promise.race([together, delay(left, undefined, { signal: late.signal }).catch(() => undefined)])
    this.wake = undefined
    late.abort()
  }

  private suffices(): boolean {
    const { calls, fillsBatch } = this.waiting()
    return calls >= this.expected || fillsBatch
  }
}
