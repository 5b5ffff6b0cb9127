/**
 * All that this package does with node-llama-cpp. It goes below the library's own context and sequence classes,
 * because its batching schedules every sequence for itself: here a whole step of all sequences is one call.
 */

import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { missingFromAddon } from './addon.js'
import type { Addon, AddonContext, AddonModel, AddonSampler, AddonSamplerConfig } from './addon.js'
import { NativeGrammar } from './native-grammar.js'

/** Absent samplers evaluate only: the middle of a prompt. */
export interface BatchEntry {
  readonly sequence: number
  /** Of the first token in its sequence. */
  readonly position: number
  readonly tokens: Uint32Array
  readonly sampler?: Sampler
  readonly constraint?: TokenConstraint | undefined
  /** Besides sampling, report the probabilities that the model itself gives the tokens. */
  readonly probabilities?: boolean
}

/** Has the last word about sampled tokens. */
export interface TokenConstraint {
  /** The token that comes, if not the proposed one then another; below 0 where nothing may follow. */
  settle(proposed: number, redraw: Redraw): Promise<number>
}

/** Samples again from the logits of the token in question. */
export interface Redraw {
  token(sampler: Sampler): Promise<number>
  /** What the sampler leaves: token, probability, … most probable first. */
  candidates(sampler: Sampler): Promise<readonly number[]>
}

export interface Sampled {
  /** Undefined where nothing may follow: the sampler admits no token. */
  readonly token: number | undefined
  /** Token, probability, token, probability, … most probable first. */
  readonly probabilities?: readonly number[]
}

/** Chooses tokens of one request; keeps its random state and penalties between them. */
export interface Sampler {
  readonly native: AddonSampler
}

export type SamplerConfig = Readonly<AddonSamplerConfig>

export interface ContextOptions {
  /** Tokens per sequence. */
  readonly contextLength: number
  readonly sequences: number
  /** Most tokens in one evaluation. */
  readonly batch: number
  readonly threads: number
  readonly embeddings?: boolean
}

/**
 * Tokens below this share of the most probable one are left out of the distribution that log-probabilities are taken
 * from: sorting 150,000 of them would cost more than evaluating the model, and together they hold next to nothing.
 */
const negligibleShare = 1e-7

const none = new Uint32Array(0)

/**
 * With a single thread in libuv's pool, native work runs in the order of its submission, always on the same core:
 * then a step is submitted whole, and ggml's threads do not wander.
 */
const poolIsSerial = process.env['UV_THREADPOOL_SIZE'] === '1'

export class NativeModel {
  private constructor(
    private readonly addon: Addon,
    readonly vocabulary: AddonModel,
  ) {}

  /** Physical cores fit for arithmetic. */
  get cores(): number {
    return Math.max(1, this.addon.getMathCores())
  }

  /** Loads the weights. @throws model_invalid, plugin_invalid */
  static async load(id: string, path: string, logger: Logger): Promise<NativeModel> {
    const addon = await loadAddon(logger)
    const model = new addon.AddonModel(path, { useMmap: true, gpuLayers: 0, addonExports: addon })
    const loaded = await model.init().catch((cause: unknown) => {
      throw failure('model_invalid', { model: id, problem: 'llama.cpp cannot load the file' }, { cause })
    })
    if (!loaded) throw failure('model_invalid', { model: id, problem: 'llama.cpp cannot load the file; see the log' })
    return new NativeModel(addon, model)
  }

  /** @throws insufficient_memory */
  async createContext(options: ContextOptions): Promise<NativeContext> {
    const context = new this.addon.AddonContext(this.vocabulary, {
      contextSize: options.contextLength * options.sequences,
      batchSize: options.batch,
      sequences: options.sequences,
      threads: options.threads,
      flashAttention: 'auto',
      ...(options.embeddings ? { embeddings: true } : {}),
    })
    const problem = 'the memory for the context cannot be had: lower contextLength or parallel'
    const created = await context.init().catch((cause: unknown) => {
      throw failure('insufficient_memory', { problem }, { cause })
    })
    if (!created) throw failure('insufficient_memory', { problem })
    return new NativeContext(context, this.createSampler({ temperature: 1, minP: negligibleShare, seed: 1 }))
  }

  createSampler(config: SamplerConfig): Sampler {
    const native = new this.addon.AddonSampler(this.vocabulary)
    const sampler = { native }
    this.configure(sampler, config)
    return sampler
  }

  /** Makes a sampler as good as new: its random state and its memory of tokens start again. */
  configure(sampler: Sampler, config: SamplerConfig): void {
    const seed = config.seed ?? 0
    // only a change of the seed renews the random state
    sampler.native.applyConfig({ temperature: 0, seed: seed === 0 ? 1 : 0 })
    this.change(sampler, { ...config, seed })
  }

  /** Changes a sampler in its work; its random state stays. */
  change({ native }: Sampler, config: SamplerConfig): void {
    native.applyConfig(config)
  }

  /** @throws Error where llama.cpp cannot parse it */
  createGrammar(gbnf: string): NativeGrammar {
    return new NativeGrammar(this.addon, this.vocabulary, gbnf)
  }

  async dispose(): Promise<void> {
    await this.vocabulary.dispose()
  }
}

/** Sequences of tokens in memory. Not reentrant: while a call runs, no other may start. */
export class NativeContext {
  constructor(
    private readonly native: AddonContext,
    private readonly distribution: Sampler,
  ) {}

  /** Evaluates the entries in one go and samples where they ask for it; results in their order. */
  async evaluate(entries: readonly BatchEntry[]): Promise<(Sampled | undefined)[]> {
    const logitIndexes = this.fill(entries)
    const decoded = this.native.decodeBatch()
    if (!poolIsSerial) await decoded
    const sampled = entries.map((entry, index) => this.sample(entry, logitIndexes[index]))
    // settled, not all: the next step may not touch the batch before the pool has done with this one
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
      ? await constraint.settle(proposed, {
          token: (other) => this.native.sampleToken(logitIndex, other.native),
          candidates: (other) => this.candidates(logitIndex, other),
        })
      : proposed
    return { token: token < 0 ? undefined : token, ...(shares ? { probabilities: shares } : {}) }
  }

  private async candidates(logitIndex: number, { native }: Sampler): Promise<readonly number[]> {
    return (await this.native.sampleToken(logitIndex, native, true))[1] ?? []
  }
}

let loading: Promise<Addon> | undefined

/** Native code is there once per process; its messages go to the logger of whoever loads it first. */
const loadAddon = (logger: Logger): Promise<Addon> => (loading ??= loadAddonOnce(logger))

/** Through the library's public entry, which finds the binary for the platform. */
const loadAddonOnce = async (logger: Logger): Promise<Addon> => {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      const method = level === LlamaLogLevel.warn ? 'debug' : 'warn'
      logger[method]({ library: 'llama.cpp' }, message)
    },
  }).catch((cause: unknown) => {
    const problem = 'node-llama-cpp has no binary for this platform'
    throw failure('plugin_invalid', { plugin: '@sallyport/llama-cpp', problem }, { cause })
  })
  const addon: unknown = (llama as unknown as { _bindings?: unknown })._bindings
  const missing = missingFromAddon(addon)
  if (missing.length > 0) {
    const problem = `this version of node-llama-cpp lacks ${missing.join(', ')}: install the pinned version`
    throw failure('plugin_invalid', { plugin: '@sallyport/llama-cpp', problem })
  }
  const loaded = addon as Addon
  await loaded.init()
  return loaded
}
