import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. */
export const longestWait = 5

/**
 * Whether a batch waits for more calls. Clients that send their next text when they have the answer to the last one
 * come back together, but not at the same moment: without a pause, the first to come back would be served alone, and
 * the others after it. On an idle model nobody waits.
 */
export class Company {
  private expected = 1
  private until = 0
  private wake: (() => void) | undefined

  constructor(private readonly present: () => number) {}

  /** A batch of so many calls has been evaluated. */
  evaluated(calls: number): void {
    this.expected = calls
    this.until = performance.now() + longestWait
  }

  /** A call has come. */
  arrived(): void {
    if (this.present() >= this.expected) this.wake?.()
  }

  /** Resolves when as many calls wait as the last batch had, at the latest {@link longestWait} after it. */
  async gather(): Promise<void> {
    const left = this.until - performance.now()
    if (this.expected < 2 || left <= 0 || this.present() >= this.expected) return
    const late = new AbortController()
    const together = new Promise<void>((resolve) => {
      this.wake = resolve
    })
    await Promise.race([together, delay(left, undefined, { signal: late.signal }).catch(() => undefined)])
    this.wake = undefined
    late.abort()
  }
}
