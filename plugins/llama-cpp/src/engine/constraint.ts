import { randomNumbers } from '@sallyport/kit/numbers'
import type { Resampler, Sampler, SamplerConfig, TokenConstraint } from './native-context.js'
import { chooseAdmitted } from './constrained-choice.js'
import type { GrammarState } from './binding.js'
import type { SamplerPool } from './sampling.js'
import type { TokenOrder } from './token-order.js'

/** The maximum number of admitted tokens, as in the keys of an object, among all of which the choice is made. */
const fewTokens = 32

/** The number of candidates that are tried before the whole vocabulary is. */
const maxCandidates = 256

/** Raises the logits of admitted tokens above all others, unless a token was penalised for coming very often. */
const admittedBias = 1000

/**
 * Keeps one generation within a grammar. A sampled token that the grammar admits is taken, which costs next to nothing.
 * Otherwise the choice is made among all admitted tokens where these are few, and among the most probable tokens where
 * they are many. Only where none of these is admitted does llama.cpp search the whole vocabulary, which takes longer
 * than a step of a small model.
 */
export class Constraint implements TokenConstraint {
  private readonly random: () => number
  private readonly hasPenalties: boolean
  private readonly generated: number[] = []
  private candidateSampler: Sampler | undefined

  /** @param sampler the generation's own, as `config` says */
  constructor(
    private readonly state: GrammarState,
    private readonly order: TokenOrder,
    private readonly samplers: SamplerPool,
    private readonly sampler: Sampler,
    private readonly config: SamplerConfig,
  ) {
    this.random = randomNumbers(config.seed ?? 0)
    this.hasPenalties = config.repeatPenaltyMaxTokens !== undefined
  }

  async choose(proposed: number, redraw: Resampler): Promise<number> {
    if (proposed >= 0 && this.state.admits(proposed)) return this.advance(proposed)
    const few = this.order.admitted((token) => this.state.admits(token), fewTokens)
    const token = await (few ? this.drawAmong(few, redraw) : this.drawFromCandidates(redraw))
    const result = token === undefined ? await this.drawFromVocabulary(redraw) : this.advance(token)
    // the sampler has counted the refused token in its penalties
    if (this.hasPenalties) this.sampler.native.applyConfig(this.withHistory(this.config))
    return result
  }

  /** Gives the sampler of candidates back. */
  release(): void {
    if (this.candidateSampler) this.samplers.giveBack(this.candidateSampler)
    this.candidateSampler = undefined
  }

  private advance(token: number): number {
    this.state.accept(token)
    if (this.hasPenalties) this.generated.push(token)
    return token
  }

  private async drawAmong(admitted: readonly number[], redraw: Resampler): Promise<number | undefined> {
    if (admitted.length <= 1) return admitted[0]
    const token = await this.drawWith(withRaisedLogits(this.config, admitted), redraw)
    return admitted.includes(token) ? token : undefined
  }

  private async drawFromCandidates(redraw: Resampler): Promise<number | undefined> {
    const candidates = await redraw.candidates(this.takeCandidateSampler())
    return chooseAdmitted(candidates, (token) => this.state.admits(token), this.config, this.random)
  }

  /** Here the native sampler moves the state of the grammar by itself. */
  private async drawFromVocabulary(redraw: Resampler): Promise<number> {
    const token = await this.drawWith({ ...this.config, grammarEvaluationState: this.state.native }, redraw)
    if (this.hasPenalties && token >= 0) this.generated.push(token)
    return token
  }

  /** Changes the sampler for one draw only. */
  private async drawWith(config: SamplerConfig, redraw: Resampler): Promise<number> {
    this.sampler.native.applyConfig(this.withHistory(config))
    const token = await redraw.sample(this.sampler)
    this.sampler.native.applyConfig(this.withHistory(this.config))
    return token
  }

  private takeCandidateSampler(): Sampler {
    const { config } = this
    const wide = { ...config, temperature: config.temperature || 1, topK: maxCandidates, topP: 1, minP: 0 }
    const sampler = (this.candidateSampler ??= this.samplers.take(wide))
    if (this.hasPenalties) sampler.native.applyConfig(this.withHistory(wide))
    return sampler
  }

  private withHistory(config: SamplerConfig): SamplerConfig {
    return this.hasPenalties ? { ...config, repeatPenaltyTokens: Uint32Array.from(this.generated) } : config
  }
}

const withRaisedLogits = (config: SamplerConfig, tokens: readonly number[]): SamplerConfig => {
  const { tokenBiasKeys = [], tokenBiasValues = [] } = config
  const biases = new Map([...tokenBiasKeys].map((token, index) => [token, tokenBiasValues[index] ?? 0]))
  for (const token of tokens) biases.set(token, (biases.get(token) ?? 0) + admittedBias)
  return {
    ...config,
    tokenBiasKeys: Uint32Array.from(biases.keys()),
    tokenBiasValues: Float32Array.from(biases.values()),
  }
}
