/** An evaluation this many times slower than usual is a sign that the cores are not ours alone. */
const slowness = 4
/** So many of them in a row, and fewer threads are tried. One that is very slow counts as two. */
const strikes = 2
const verySlow = 4 * slowness
/** Usual costs rise by this from one evaluation to the next, for they grow with the context. */
const drift = 1.05
/** Milliseconds until more threads are tried again; doubled each time that they turn out slower. */
const retry = { first: 250, last: 30_000 }
/** More threads must be at least this much faster to be kept, fewer threads this much to start with. */
const advantage = 0.9

/** Milliseconds per token, by the size of the evaluation in powers of two: larger ones cost less per token. */
type Costs = Map<number, number>

/**
 * Chooses the number of threads while the model runs. The threads of an evaluation wait for each other after every
 * operation, spinning: where one of them has lost its core to another process, all wait for it, and a model may get a
 * hundred times slower than with one thread less.
 */
export class ThreadGovernor {
  private readonly levels: readonly { readonly threads: number; readonly costs: Costs }[]
  private level = 0
  private slow = 0
  private trial = false
  private retryAt = 0
  private pause = retry.first

  /** @param now milliseconds of a clock that only goes forward */
  constructor(
    most: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.levels = halvings(most).map((threads) => ({ threads, costs: new Map<number, number>() }))
  }

  /** For the next evaluation. */
  get threads(): number {
    return this.levels[this.level]?.threads ?? 1
  }

  /** All numbers of threads that may be chosen, most first. */
  get choices(): readonly number[] {
    return this.levels.map(({ threads }) => threads)
  }

  /** Begins with the fastest of some measured choices: milliseconds of the same evaluation by number of threads. */
  start(measured: ReadonlyMap<number, number>, tokens: number): void {
    let best = Infinity
    this.levels.forEach(({ threads, costs }, level) => {
      const milliseconds = measured.get(threads)
      if (milliseconds === undefined) return
      costs.set(sizeOf(tokens), milliseconds / tokens)
      if (milliseconds >= best * advantage) return
      best = milliseconds
      this.level = level
    })
    this.postpone()
  }

  /** Tells how long an evaluation took with the current number of threads. */
  observe(tokens: number, milliseconds: number): void {
    const cost = milliseconds / tokens
    if (this.trial) this.judgeTrial(cost, tokens)
    else if (this.isSlow(cost, tokens)) this.slowDown()
    else if (this.level > 0 && this.now() >= this.retryAt) this.speedUp()
    this.learn(cost, tokens)
  }

  private judgeTrial(cost: number, tokens: number): void {
    this.trial = false
    const withFewer = known(this.levels[this.level + 1]?.costs, tokens)
    if (withFewer === undefined || cost < withFewer * advantage) {
      this.pause = retry.first
      this.postpone()
      return
    }
    this.level += 1
    this.pause = Math.min(retry.last, this.pause * 2)
    this.postpone()
  }

  private isSlow(cost: number, tokens: number): boolean {
    const usual = known(this.levels[this.level]?.costs, tokens)
    const ratio = usual === undefined ? 1 : cost / usual
    if (ratio < slowness) this.slow = 0
    else this.slow += ratio < verySlow ? 1 : strikes
    return this.slow >= strikes
  }

  private slowDown(): void {
    this.slow = 0
    if (this.level === this.levels.length - 1) return
    this.level += 1
    this.postpone()
  }

  private speedUp(): void {
    this.level -= 1
    this.trial = true
  }

  private postpone(): void {
    this.retryAt = this.now() + this.pause
  }

  private learn(cost: number, tokens: number): void {
    const costs = this.levels[this.level]?.costs
    const usual = costs?.get(sizeOf(tokens))
    costs?.set(sizeOf(tokens), usual === undefined ? cost : Math.min(cost, usual * drift))
  }
}

const halvings = (most: number): number[] =>
  most <= 1 ? [1] : [most, ...halvings(most === 2 ? 1 : Math.ceil(most / 2))]

const sizeOf = (tokens: number) => Math.floor(Math.log2(tokens))

/** What an evaluation of that size usually costs; of the next smaller size that was seen, which is never less. */
const known = (costs: Costs | undefined, tokens: number): number | undefined => {
  for (let size = sizeOf(tokens); size >= 0; size -= 1) {
    const cost = costs?.get(size)
    if (cost !== undefined) return cost
  }
  return undefined
}
