import { randomNumbers } from '@sallyport/kit/numbers'
import type { Redraw, Sampler, SamplerConfig, TokenConstraint } from './native-context.js'
import { chooseAdmitted } from './constrained-choice.js'
import type { GrammarState } from './binding.js'
import type { SamplerPool } from './sampling.js'
import type { TokenOrder } from './token-order.js'

/** Tokens that a grammar admits where it leaves little choice: the keys of an object, a number. */
const fewTokens = 32

/** Candidates that are tried one by one, before the whole vocabulary is. */
const maxCandidates = 256

/** Raises the logits of some tokens above all others, but for penalties of tokens that came very often. */
const raise = 1000

/**
 * Keeps one generation within a grammar. A sampled token that is admitted stands, which costs next to nothing. Else the
 * choice is made among all that is admitted where that is little, and otherwise among the most probable tokens; only
 * where none of these is admitted does llama.cpp look through the whole vocabulary, which takes longer than a step of a
 * small model.
 */
export class Constraint implements TokenConstraint {
  private readonly random: () => number
  private readonly hasPenalties: boolean
  private readonly generated: number[] = []
  private wide: Sampler | undefined

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

  async settle(proposed: number, redraw: Redraw): Promise<number> {
    if (proposed >= 0 && this.state.admits(proposed)) return this.go(proposed)
    const few = this.order.admitted((token) => this.state.admits(token), fewTokens)
    const token = await (few ? this.among(few, redraw) : this.amongCandidates(redraw))
    const settled = token === undefined ? await this.ofAll(redraw) : this.go(token)
    // it has counted the token that was refused
    if (this.hasPenalties) this.samplers.change(this.sampler, this.withHistory(this.config))
    return settled
  }

  /** The generation needs its samplers no more. */
  release(): void {
    if (this.wide) this.samplers.giveBack(this.wide)
    this.wide = undefined
  }

  private go(token: number): number {
    this.state.accept(token)
    if (this.hasPenalties) this.generated.push(token)
    return token
  }

  private async among(admitted: readonly number[], redraw: Redraw): Promise<number | undefined> {
    if (admitted.length <= 1) return admitted[0]
    const token = await this.drawBy(raised(this.config, admitted), redraw)
    return admitted.includes(token) ? token : undefined
  }

  private async amongCandidates(redraw: Redraw): Promise<number | undefined> {
    const candidates = await redraw.candidates(this.wideSampler())
    return chooseAdmitted(candidates, (token) => this.state.admits(token), this.config, this.random)
  }

  /** The native sampler moves the grammar on by itself. */
  private async ofAll(redraw: Redraw): Promise<number> {
    const token = await this.drawBy({ ...this.config, grammarEvaluationState: this.state.native }, redraw)
    if (this.hasPenalties && token >= 0) this.generated.push(token)
    return token
  }

  /** Changes the sampler for one draw only. */
  private async drawBy(config: SamplerConfig, redraw: Redraw): Promise<number> {
    this.samplers.change(this.sampler, this.withHistory(config))
    const token = await redraw.token(this.sampler)
    this.samplers.change(this.sampler, this.withHistory(this.config))
    return token
  }

  private wideSampler(): Sampler {
    const { config } = this
    const wide = { ...config, temperature: config.temperature || 1, topK: maxCandidates, topP: 1, minP: 0 }
    if (!this.wide) this.wide = this.samplers.take(wide)
    if (this.hasPenalties) this.samplers.change(this.wide, this.withHistory(wide))
    return this.wide
  }

  private withHistory(config: SamplerConfig): SamplerConfig {
    return this.hasPenalties ? { ...config, repeatPenaltyTokens: Uint32Array.from(this.generated) } : config
  }
}

const raised = (config: SamplerConfig, tokens: readonly number[]): SamplerConfig => {
  const { tokenBiasKeys = [], tokenBiasValues = [] } = config
  const biases = new Map([...tokenBiasKeys].map((token, index) => [token, tokenBiasValues[index] ?? 0]))
  for (const token of tokens) biases.set(token, (biases.get(token) ?? 0) + raise)
  return {
    ...config,
    tokenBiasKeys: Uint32Array.from(biases.keys()),
    tokenBiasValues: Float32Array.from(biases.values()),
  }
}
