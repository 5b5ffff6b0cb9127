const minTokens = 8

/** Weight of the newest measurement. */
const weight = 0.3

/** Decides how many tokens of a prompt are evaluated at once, in a bounded time: no evaluation can be interrupted. */
export class SliceSizer {
  /** Tokens per millisecond; learned from evaluations of at least `minTokens` tokens. */
  private speed: number | undefined

  /**
   * @param target milliseconds that an evaluation should take at most
   * @param max tokens in one evaluation
   */
  constructor(
    private readonly target: number,
    private readonly max: number,
  ) {}

  /** The number of tokens to take of `pending`: even portions, so that the last one is not tiny. */
  next(pending: number, reproducible: boolean): number {
    const size = reproducible ? minTokens : this.size()
    return Math.ceil(pending / Math.ceil(pending / size))
  }

  learn(tokens: number, milliseconds: number): void {
    if (tokens < minTokens) return
    const measured = tokens / Math.max(milliseconds, 0.001)
    this.speed = this.speed === undefined ? measured : this.speed + weight * (measured - this.speed)
  }

  private size(): number {
    const affordable = Math.floor((this.speed ?? 0) * this.target)
    return Math.min(this.max, Math.max(minTokens, affordable))
  }
}
