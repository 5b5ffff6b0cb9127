/** An evaluation that is slower than usual by this factor suggests that other processes use the cores, too. */
const slowness = 4
/** Slow evaluations in a row after which fewer threads are tried. A very slow one counts as two. */
const strikes = 2
const verySlow = 4 * slowness
/** The factor by which usual costs rise from one evaluation to the next, because they grow with the context. */
const drift = 1.05
/** Milliseconds until more threads are tried again; doubled each time they turn out slower. */
const retry = { first: 250, last: 30_000 }
/** The share of a core by which the threads may exceed the cores that others leave. */
const tolerance = 0.6
/** More threads are tried on small evaluations only: a large one might take seconds. */
const trialTokens = 8
/** The share of the previous time that more threads may take to be kept, and fewer threads to start with. */
const advantage = 0.9

/** Milliseconds per token, by the size of the evaluation in powers of two: larger ones cost less per token. */
type Costs = Map<number, number>

/**
 * Chooses the number of threads while the model runs. The threads of an evaluation wait for each other after every
 * operation, spinning: where one of them has lost its core to another process, all wait for it, and a model may get a
 * hundred times slower than with one thread fewer. The governor therefore watches the load of other processes and the
 * durations of evaluations.
 */
export class ThreadGovernor {
  private readonly levels: readonly { readonly threads: number; readonly costs: Costs }[]
  private level = 0
  private slow = 0
  private trial = false
  private retryAt = 0
  private pause = retry.first

  /**
   * @param freeCores cores that other processes leave
   * @param now milliseconds of a clock that only goes forward
   */
  constructor(
    max: number,
    private readonly freeCores: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.levels = halvings(max).map((threads) => ({ threads, costs: new Map<number, number>() }))
  }

  /** The number of threads that was chosen last. */
  get threads(): number {
    return this.levels[this.level]?.threads ?? 1
  }

  /** The number of threads for an evaluation of `tokens` tokens. */
  choose(tokens: number): number {
    if (!this.affords(this.threads)) this.slowDown()
    else if (tokens <= trialTokens && this.now() >= this.retryAt) this.tryMore()
    return this.threads
  }

  /** Whether other processes leave enough cores for this number of threads. */
  affords(threads: number): boolean {
    return threads <= this.freeCores() + tolerance
  }

  /** All numbers of threads that may be chosen, in descending order. */
  get choices(): readonly number[] {
    return this.levels.map(({ threads }) => threads)
  }

  /**
   * Begins with the fastest of the measured choices, or with most threads where those were not measured.
   * @param measured milliseconds of the same evaluation by number of threads
   */
  start(measured: ReadonlyMap<number, number>, tokens: number): void {
    for (const { threads, costs } of this.levels) {
      const milliseconds = measured.get(threads)
      if (milliseconds !== undefined) costs.set(sizeOf(tokens), milliseconds / tokens)
    }
    let best = measured.get(this.threads) ?? 0
    this.levels.forEach(({ threads }, level) => {
      const milliseconds = measured.get(threads) ?? Infinity
      if (milliseconds >= best * advantage) return
      best = milliseconds
      this.level = level
    })
    this.postpone()
  }

  /** Records the duration of the evaluation for which the number of threads was chosen last. */
  observe(tokens: number, milliseconds: number): void {
    const cost = milliseconds / tokens
    const { level } = this
    if (this.trial) this.judgeTrial(cost, tokens)
    else if (this.isSlow(cost, tokens)) this.slowDown()
    this.learn(level, cost, tokens)
  }

  private judgeTrial(cost: number, tokens: number): void {
    this.trial = false
    const withFewer = known(this.levels[this.level + 1]?.costs, tokens) ?? Infinity
    const isFaster = cost < withFewer * advantage
    if (!isFaster) this.level += 1
    this.pause = isFaster ? retry.first : Math.min(retry.last, this.pause * 2)
    this.postpone()
  }

  private isSlow(cost: number, tokens: number): boolean {
    const usual = this.usualCost(tokens)
    const ratio = usual === undefined ? 1 : cost / usual
    if (ratio < slowness) this.slow = 0
    else this.slow += ratio < verySlow ? 1 : strikes
    return this.slow >= strikes
  }

  /** A cost that was never measured is estimated from that of the nearest number of threads. */
  private usualCost(tokens: number): number | undefined {
    const distance = (level: number) => Math.abs(level - this.level)
    const nearest = [...this.levels.keys()].sort((a, b) => distance(a) - distance(b))
    for (const level of nearest) {
      const { threads = 1, costs } = this.levels[level] ?? {}
      const cost = known(costs, tokens)
      if (cost !== undefined) return cost * Math.max(1, threads / this.threads)
    }
    return undefined
  }

  private tryMore(): void {
    const { threads } = this.levels[this.level - 1] ?? {}
    if (threads === undefined || !this.affords(threads)) return
    this.level -= 1
    this.trial = true
  }

  private slowDown(): void {
    this.slow = 0
    if (this.level === this.levels.length - 1) return
    this.level += 1
    this.postpone()
  }

  private postpone(): void {
    this.retryAt = this.now() + this.pause
  }

  private learn(level: number, cost: number, tokens: number): void {
    const costs = this.levels[level]?.costs
    const usual = costs?.get(sizeOf(tokens))
    costs?.set(sizeOf(tokens), usual === undefined ? cost : Math.min(cost, usual * drift))
  }
}

const halvings = (max: number): number[] => (max <= 1 ? [1] : [max, ...halvings(Math.ceil(max / 2))])

const sizeOf = (tokens: number) => Math.floor(Math.log2(tokens))

/** The usual cost of an evaluation of that size, or of the next smaller size that was measured, which is never less. */
const known = (costs: Costs | undefined, tokens: number): number | undefined => {
  for (let size = sizeOf(tokens); size >= 0; size -= 1) {
    const cost = costs?.get(size)
    if (cost !== undefined) return cost
  }
  return undefined
}
