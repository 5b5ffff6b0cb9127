import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. */
export const longestWait = 5

/** What waits to be evaluated. */
export interface Waiting {
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

  constructor(private readonly waiting: () => Waiting) {}

  /** A batch of so many calls has been evaluated. */
  evaluated(calls: number): void {
    this.expected = calls
    this.until = performance.now() + longestWait
  }

  /** A call has come. */
  arrived(): void {
    if (this.wake && this.suffices()) this.wake()
  }

  /**
   * Resolves when as many calls wait as the last batch had, or what fills a batch, at the latest {@link longestWait}
   * after the last one.
   * @returns whether there was a pause
   */
  async gather(): Promise<boolean> {
    const left = this.until - performance.now()
    if (this.expected < 2 || left <= 0 || this.suffices()) return false
    const late = new AbortController()
    const together = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    await Promise.race([together, delay(left, undefined, { signal: late.signal }).catch(() => undefined)])
    this.wake = undefined
    late.abort()
    return true
  }

  private suffices(): boolean {
    const { calls, fillsBatch } = this.waiting()
    return calls >= this.expected || fillsBatch
  }
}
