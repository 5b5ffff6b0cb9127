/** When to start a crashed process again. All times in milliseconds. */
export interface RestartLimits {
  /** Delay before the first restart: short, since one restart usually cures a single crash. */
  readonly firstDelay: number
  /** Delay before the second restart; doubled for each further one. */
  readonly baseDelay: number
  readonly maxDelay: number
  /** The number of crashes within `window` after which the model counts as failed. */
  readonly maxCrashes: number
  readonly window: number
  /** Delay between attempts once the model has failed. */
  readonly failedDelay: number
}

export const restartLimits: RestartLimits = {
  firstDelay: 100,
  baseDelay: 1000,
  maxDelay: 60_000,
  maxCrashes: 5,
  window: 60_000,
  failedDelay: 60_000,
}

export interface RestartDecision {
  readonly delay: number
  /** Whether the model counts as failed. */
  readonly failed: boolean
}

/**
 * Back-off, and the rule by which a model counts as failed. Once a process has run for a whole window, the crashes before
 * it no longer count.
 */
export class RestartPolicy {
  private times: number[] = []
  private streak = 0
  private failed = false

  constructor(
    private readonly limits: RestartLimits,
    private readonly random: () => number = Math.random,
  ) {}

  /** @param uptime how long the process had been ready; 0 where it never was */
  crashed(now: number, uptime: number): RestartDecision {
    const { maxCrashes, window, failedDelay } = this.limits
    if (uptime >= window) this.reset()
    this.streak += 1
    this.times = [...this.times.filter((time) => now - time < window), now]
    this.failed ||= this.times.length >= maxCrashes
    return { failed: this.failed, delay: (this.failed ? failedDelay : this.delay()) * this.jitter() }
  }

  private delay(): number {
    const { firstDelay, baseDelay, maxDelay } = this.limits
    return this.streak === 1 ? firstDelay : Math.min(maxDelay, baseDelay * 2 ** (this.streak - 2))
  }

  /** ±20 %, so that the models of many servers do not start in step. */
  private jitter(): number {
    return 0.8 + 0.4 * this.random()
  }

  private reset(): void {
    this.times = []
    this.streak = 0
    this.failed = false
  }
}
