import type { NativeContext } from './binding.js'
import type { Generation } from './generation.js'

const none = new Uint32Array(0)

/** One row of the context: the tokens in its cache, and the generation that uses it. */
export class Sequence {
  generation: Generation | undefined
  /** Tokens that are to be evaluated next. */
  pending = none
  /** When it was last given to a generation. */
  lastUsed = 0
  private cached: number[] = []
  private tenant: string | undefined

  constructor(
    readonly id: number,
    private readonly context: NativeContext,
  ) {}

  /** Tokens in the cache: the position of the next one. */
  get length(): number {
    return this.cached.length
  }

  /** How many tokens of the prompt need no evaluation: all but the last at most, its logits are needed. */
  reusable({ setup: { request, reproducible } }: Generation): number {
    if (reproducible || request.tenant !== this.tenant) return 0
    const { prompt } = request
    const most = Math.min(prompt.length - 1, this.cached.length)
    let length = 0
    while (length < most && this.cached[length] === prompt[length]) length += 1
    return length
  }

  /** Begins a generation, keeping what it can of the cache. No evaluation may be running. */
  assign(generation: Generation): void {
    try {
      generation.begin()
    } catch (error) {
      generation.fail(error)
      return
    }
    const { prompt, tenant } = generation.setup.request
    const kept = this.keep(this.reusable(generation))
    generation.cachedTokens = kept
    this.generation = generation
    this.tenant = tenant
    this.pending = prompt.slice(kept)
    this.lastUsed = performance.now()
  }

  /** The first `count` pending tokens are in the cache now. */
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

  /** After a failed evaluation nothing is known of the cache. */
  reset(): void {
    this.cached.length = 0
    this.pending = none
    this.context.clear(this.id)
  }

  /** Forgets all but the first `count` tokens; some architectures can only forget everything. */
  private keep(count: number): number {
    if (count === this.cached.length) return count
    const kept = count > 0 && this.context.truncate(this.id, count) ? count : 0
    if (kept === 0) this.context.clear(this.id)
    this.cached.length = kept
    return kept
  }
}
