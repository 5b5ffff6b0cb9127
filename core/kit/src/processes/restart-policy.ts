/** When to start a crashed process again. All times in milliseconds. */
export interface RestartLimits {
  /** Delay before the first restart: short, since one restart usually cures a single crash. */
  readonly first: number
  /** Delay before the second restart; doubled for each further one. */
  readonly base: number
  readonly max: number
  /** The number of crashes within `window` after which the model counts as failed. */
  readonly crashes: number
  readonly window: number
  /** Delay between attempts once the model has failed. */
  readonly slow: number
}

export const restartLimits: RestartLimits = {
  first: 100,
  base: 1000,
  max: 60_000,
  crashes: 5,
  window: 60_000,
  slow: 60_000,
}

export interface RestartDecision {
  readonly delay: number
  /** Whether the circuit breaker is open. */
  readonly failed: boolean
}

/** Back-off and circuit breaker. Crashes before a process that ran for a whole window no longer count. */
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
    const { crashes, window, slow } = this.limits
    if (uptime >= window) this.reset()
    this.streak += 1
    this.times = [...this.times.filter((time) => now - time < window), now]
    this.failed ||= this.times.length >= crashes
    return { failed: this.failed, delay: (this.failed ? slow : this.delay()) * this.jitter() }
  }

  private delay(): number {
    const { first, base, max } = this.limits
    return this.streak === 1 ? first : Math.min(max, base * 2 ** (this.streak - 2))
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
