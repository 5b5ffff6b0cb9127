/**
 * Loads node-llama-cpp, and models with it. Its addon is used instead of the library's own context and sequence
 * classes, because their batching schedules every sequence by itself: here a step of all sequences is one call.
 */

import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { missingFromAddon } from './addon.js'
import type { Addon, AddonGrammarState, AddonModel } from './addon.js'
import { NativeContext } from './native-context.js'
import type { Sampler, SamplerConfig } from './native-context.js'

export interface ContextOptions {
  /** Tokens per sequence. */
  readonly contextLength: number
  readonly sequences: number
  /** The maximum number of tokens in one evaluation. */
  readonly batch: number
  readonly threads: number
  readonly embeddings?: boolean
}

/**
 * Tokens below this share of the most probable one are left out of the distribution that log-probabilities are taken
 * from: sorting 150,000 of them would cost more than evaluating the model, and together they hold next to nothing.
 */
const negligibleShare = 1e-7

export class NativeModel {
  private constructor(
    private readonly addon: Addon,
    readonly vocabulary: AddonModel,
  ) {}

  /** Physical cores that are suited to arithmetic. */
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
    const problem = 'the memory for the context cannot be allocated: lower contextLength or parallel'
    const created = await context.init().catch((cause: unknown) => {
      throw failure('insufficient_memory', { problem }, { cause })
    })
    if (!created) throw failure('insufficient_memory', { problem })
    return new NativeContext(context, this.createSampler({ temperature: 1, minP: negligibleShare, seed: 1 }))
  }

  createSampler(config: SamplerConfig): Sampler {
    const sampler = { native: new this.addon.AddonSampler(this.vocabulary) }
    this.configure(sampler, config)
    return sampler
  }

  /** Resets a sampler: its random state and its history of tokens start again. */
  configure({ native }: Sampler, config: SamplerConfig): void {
    const seed = config.seed ?? 0
    // only a change of the seed renews the random state
    native.applyConfig({ temperature: 0, seed: seed === 0 ? 1 : 0 })
    native.applyConfig({ ...config, seed })
  }

  /** @throws Error where llama.cpp cannot parse it */
  createGrammar(gbnf: string): NativeGrammar {
    return new NativeGrammar(this.addon, this.vocabulary, gbnf)
  }

  async dispose(): Promise<void> {
    await this.vocabulary.dispose()
  }
}

/** The position of one text in a grammar. */
export class GrammarState {
  constructor(
    private readonly addon: Addon,
    private readonly model: AddonModel,
    readonly native: AddonGrammarState,
  ) {}

  /** Tokens that end the generation are admitted where the grammar may end. */
  admits(token: number): boolean {
    return this.addon.AddonSampler.canBeNextTokenForGrammarEvaluationState(this.native, token)
  }

  /** Moves the state past an admitted token. */
  accept(token: number): void {
    // llama.cpp aborts the process on these tokens
    if (this.model.isEogToken(token)) return
    this.addon.AddonSampler.acceptGrammarEvaluationStateToken(this.native, token)
  }
}

/** A grammar in GBNF, whose rule `root` is a whole text. Texts begin with copies of its initial state. */
export class NativeGrammar {
  private readonly start: AddonGrammarState

  /** @throws Error where llama.cpp cannot parse it */
  constructor(
    private readonly addon: Addon,
    private readonly model: AddonModel,
    gbnf: string,
  ) {
    const parsed = new addon.AddonGrammar(gbnf, { addonExports: addon, rootRuleName: 'root' })
    this.start = new addon.AddonGrammarEvaluationState(model, parsed)
  }

  begin(): GrammarState {
    return new GrammarState(this.addon, this.model, new this.addon.AddonGrammarEvaluationState(this.start))
  }
}

let loading: Promise<Addon> | undefined

/** Native code is loaded once per process; its messages go to the logger of the first model. */
const loadAddon = (logger: Logger): Promise<Addon> => (loading ??= loadAddonOnce(logger))

/** The library's public entry finds the binary for the platform. */
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
