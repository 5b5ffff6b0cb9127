/** When to start a crashed process again. All times in milliseconds. */
export interface RestartLimits {
  /** Before the first restart: short, for a single crash heals at once. */
  readonly first: number
  /** Before the second; doubled for each further one. */
  readonly base: number
  readonly max: number
  /** So many crashes within `window` and the model counts as failed. */
  readonly crashes: number
  readonly window: number
  /** Between attempts once it has failed. */
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
  /** The circuit breaker is open. */
  readonly failed: boolean
}

/** Back-off and circuit breaker. A process that ran for a whole window has healed. */
export class RestartPolicy {
  private times: number[] = []
  private streak = 0
  private failed = false

  constructor(
    private readonly limits: RestartLimits,
    private readonly random: () => number = Math.random,
  ) {}

  /** `uptime`: how long the process had been ready; 0 when it did not get so far. */
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
