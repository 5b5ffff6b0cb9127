import type { NativeContext } from './native-context.js'
import type { Generation } from './generation.js'

const none = new Uint32Array(0)

/** The minimum number of tokens that a generation makes before a pause, where no tenant has several sequences. */
const minTurn = 16
/**
 * The same minimum per token that had to be evaluated when the generation came to the sequence. With more frequent
 * pauses, most of the time would be spent on evaluating these tokens again.
 */
const turnShare = 1 / 16

/** One sequence of the context: the tokens in its cache, and the generation that uses it. */
export class Sequence {
  generation: Generation | undefined
  /** Tokens that are to be evaluated next. */
  pending = none
  /** When it was last given to a generation. */
  lastUsed = 0
  private cached: number[] = []
  private tenant: string | undefined
  /** Tokens that the generation had when it came here, and how many of them had to be evaluated. */
  private arrival = { tokens: 0, evaluated: 0 }

  constructor(
    readonly id: number,
    private readonly context: NativeContext,
  ) {}

  /** Tokens in the cache: the position of the next one. */
  get length(): number {
    return this.cached.length
  }

  /** How many tokens of the prompt need no evaluation. The last one always does, because its logits are needed. */
  reusable({ setup: { reproducible }, tenant, tokens }: Generation): number {
    if (reproducible || tenant !== this.tenant) return 0
    const max = Math.min(tokens.length - 1, this.cached.length)
    let length = 0
    while (length < max && this.cached[length] === tokens[length]) length += 1
    return length
  }

  /** Begins or resumes a generation and keeps what it can of the cache. No evaluation may be running. */
  assign(generation: Generation): void {
    const isFirst = !generation.hasBegun
    try {
      if (isFirst) generation.begin()
    } catch (error) {
      generation.fail(error)
      return
    }
    const { tokens, tenant } = generation
    const kept = this.keep(this.reusable(generation))
    if (isFirst) generation.cachedTokens = kept
    this.generation = generation
    this.tenant = tenant
    this.pending = tokens.slice(kept)
    this.arrival = { tokens: tokens.length, evaluated: tokens.length - kept }
    this.lastUsed = performance.now()
  }

  /** Whether the generation has made enough tokens here that a pause does not waste most of the work. */
  get hasHadTurn(): boolean {
    const generated = this.length + this.pending.length - this.arrival.tokens
    return this.pending.length === 1 && generated >= Math.max(minTurn, this.arrival.evaluated * turnShare)
  }

  /** Takes the sequence from its generation, which is resumed later. No evaluation may be running. */
  pause(): void {
    if (!this.generation) return
    const tokens = new Uint32Array(this.length + this.pending.length)
    tokens.set(this.cached)
    tokens.set(this.pending, this.length)
    this.generation.tokens = tokens
    this.generation = undefined
    this.pending = none
  }

  /** Notes that the first `count` pending tokens are in the cache now. */
  advance(count: number): void {
    for (const token of this.pending.subarray(0, count)) this.cached.push(token)
    this.pending = this.pending.subarray(count)
  }

  /** Ends the use by a generation; the cache stays for the next one. */
  release(): void {
    this.generation?.release()
    this.generation = undefined
    this.pending = none
  }

  /** Clears the cache, whose content is unknown after a failed evaluation. */
  reset(): void {
    this.cached.length = 0
    this.pending = none
    this.context.clear(this.id)
  }

  /** Removes all but the first `count` tokens from the cache; some architectures can only clear it. */
  private keep(count: number): number {
    if (count === this.cached.length) return count
    const kept = count > 0 && this.context.truncate(this.id, count) ? count : 0
    if (kept === 0) this.context.clear(this.id)
    this.cached.length = kept
    return kept
  }
}
