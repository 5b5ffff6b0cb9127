import type { AddonContext, AddonSampler, AddonSamplerConfig } from './addon.js'

/** Tokens to evaluate. Without a sampler, as in the middle of a prompt, no token is sampled after them. */
export interface BatchEntry {
  readonly sequence: number
  /** The position of the first token in its sequence. */
  readonly position: number
  readonly tokens: Uint32Array
  readonly sampler?: Sampler
  readonly constraint?: TokenConstraint | undefined
  /** Whether to report the probabilities that the model gives the tokens before sampling options apply. */
  readonly probabilities?: boolean
}

/** Accepts sampled tokens or replaces them. */
export interface TokenConstraint {
  /** Returns the proposed token or another one; a number below 0 where nothing may follow. */
  choose(proposed: number, redraw: Resampler): Promise<number>
}

/** Samples again from the logits of the token in question. */
export interface Resampler {
  sample(sampler: Sampler): Promise<number>
  /** The tokens that the sampler keeps: token, probability, … most probable first. */
  candidates(sampler: Sampler): Promise<readonly number[]>
}

export interface Sampled {
  /** Undefined where no token may follow. */
  readonly token: number | undefined
  /** Token, probability, token, probability, … most probable first. */
  readonly probabilities?: readonly number[]
}

/** Chooses tokens of one request; keeps its random state and penalties between them. */
export interface Sampler {
  readonly native: AddonSampler
}

export type SamplerConfig = Readonly<AddonSamplerConfig>

const none = new Uint32Array(0)

/**
 * With a single thread in libuv's pool, native work runs in the order of its submission, always on the same core:
 * then a step is submitted as a whole, and ggml's threads stay on their cores.
 */
const poolIsSerial = process.env['UV_THREADPOOL_SIZE'] === '1'

/** Sequences of tokens in memory. Not reentrant: while a call runs, no other may start. */
export class NativeContext {
  constructor(
    private readonly native: AddonContext,
    private readonly distribution: Sampler,
  ) {}

  /** Evaluates the entries in one call and samples where they have a sampler. @returns results in their order */
  async evaluate(entries: readonly BatchEntry[]): Promise<(Sampled | undefined)[]> {
    const logitIndexes = this.fill(entries)
    const decoded = this.native.decodeBatch()
    if (!poolIsSerial) await decoded
    const sampled = entries.map((entry, index) => this.sample(entry, logitIndexes[index]))
    // allSettled, because the next step may not touch the batch before the pool is done with this one
    const [outcome, ...outcomes] = await Promise.allSettled([decoded, ...sampled])
    if (outcome.status === 'rejected') throw outcome.reason
    return outcomes.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
  }

  /** Forgets the tokens from `position` on; false where the architecture cannot do that. */
  truncate(sequence: number, position: number): boolean {
    return this.native.removeTokenCellsFromSequence(sequence, position, -1)
  }

  clear(sequence: number): void {
    this.native.disposeSequence(sequence)
  }

  /** The vector of the one sequence evaluated last, not normalised. */
  async embed(tokens: Uint32Array): Promise<Float64Array> {
    this.clear(0)
    this.native.initBatch(tokens.length)
    this.native.addToBatch(0, 0, tokens, Uint32Array.of(tokens.length - 1))
    await this.native.decodeBatch()
    return this.native.getEmbedding(tokens.length)
  }

  get threads(): number {
    return this.native.getThreads()
  }

  set threads(threads: number) {
    this.native.setThreads(threads)
  }

  async dispose(): Promise<void> {
    this.distribution.native.dispose()
    await this.native.dispose()
  }

  /** Returns where each entry's logits will be, for those that are sampled. */
  private fill(entries: readonly BatchEntry[]): (number | undefined)[] {
    this.native.initBatch(entries.reduce((sum, { tokens }) => sum + tokens.length, 0))
    return entries.map(({ sequence, position, tokens, sampler }) => {
      const wanted = sampler ? Uint32Array.of(tokens.length - 1) : none
      return this.native.addToBatch(sequence, position, tokens, wanted)[0]
    })
  }

  private async sample(
    { sampler, constraint, probabilities }: BatchEntry,
    logitIndex: number | undefined,
  ): Promise<Sampled | undefined> {
    if (!sampler || logitIndex === undefined) return undefined
    const [proposed, shares] = await Promise.all([
      this.native.sampleToken(logitIndex, sampler.native),
      probabilities ? this.candidates(logitIndex, this.distribution) : undefined,
    ])
    const token = constraint
      ? await constraint.choose(proposed, {
          sample: (other) => this.native.sampleToken(logitIndex, other.native),
          candidates: (other) => this.candidates(logitIndex, other),
        })
      : proposed
    return { token: token < 0 ? undefined : token, ...(shares ? { probabilities: shares } : {}) }
  }

  private async candidates(logitIndex: number, { native }: Sampler): Promise<readonly number[]> {
    return (await this.native.sampleToken(logitIndex, native, true))[1] ?? []
  }
}
