import type { Sampling, TokenLogprob } from '@sallyport/core'
import type { LlamaCppOptions } from '../options.js'
import type { NativeModel } from './binding.js'
import type { Sampler, SamplerConfig } from './native-context.js'
import type { Vocabulary } from './vocabulary.js'

const seedCount = 2 ** 32

/**
 * Converts the sampling options of a request to those of the native sampler. Absent stages cost nothing.
 * @param window number of tokens over which penalties count
 * @param forbidden tokens that must not be generated
 */
export const samplerConfig = (
  sampling: Sampling,
  defaults: LlamaCppOptions['sampling'],
  vocabulary: Vocabulary,
  window: number,
  forbidden: readonly number[],
): SamplerConfig => {
  const { temperature, topP, topK, minP } = { ...defaults, ...definedOptions(sampling) }
  return {
    temperature,
    ...(topK > 0 ? { topK } : {}),
    ...(topP < 1 ? { topP } : {}),
    ...(minP > 0 ? { minP } : {}),
    seed: seedOf(sampling.seed),
    ...penalties(sampling, window),
    ...biases(sampling.logitBias, vocabulary, forbidden),
  }
}

/** Whether the request asks for the same random text every time: it has a seed, and a temperature above 0. */
export const isSeeded = (sampling: Sampling, defaults: LlamaCppOptions['sampling']): boolean =>
  sampling.seed !== undefined && (sampling.temperature ?? defaults.temperature) > 0

const definedOptions = (sampling: Sampling): Partial<LlamaCppOptions['sampling']> =>
  Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined))

/** The native seed has 32 bits. */
const seedOf = (seed: number | undefined): number => {
  if (seed === undefined) return Math.floor(Math.random() * seedCount)
  return ((Math.trunc(seed) % seedCount) + seedCount) % seedCount
}

const penalties = ({ frequencyPenalty = 0, presencePenalty = 0 }: Sampling, window: number): SamplerConfig =>
  frequencyPenalty === 0 && presencePenalty === 0
    ? {}
    : {
        repeatPenalty: 1,
        repeatPenaltyTokens: new Uint32Array(0),
        repeatPenaltyMaxTokens: window,
        repeatPenaltyFrequencyPenalty: frequencyPenalty,
        repeatPenaltyPresencePenalty: presencePenalty,
      }

const biases = (bias: Sampling['logitBias'], vocabulary: Vocabulary, forbidden: readonly number[]): SamplerConfig => {
  const known = Object.entries(bias ?? {})
    .map(([token, value]) => [Number(token), value] as const)
    .filter(([token]) => vocabulary.has(token))
  const all = new Map([...known, ...forbidden.map((token) => [token, -Infinity] as const)])
  return all.size === 0
    ? {}
    : { tokenBiasKeys: Uint32Array.from(all.keys()), tokenBiasValues: Float32Array.from(all.values()) }
}

/** Reuses samplers, which are as large as the vocabulary. */
export class SamplerPool {
  private readonly free: Sampler[] = []

  constructor(private readonly model: NativeModel) {}

  take(config: SamplerConfig): Sampler {
    const sampler = this.free.pop()
    if (!sampler) return this.model.createSampler(config)
    this.model.configure(sampler, config)
    return sampler
  }

  giveBack(sampler: Sampler): void {
    this.free.push(sampler)
  }

  dispose(): void {
    for (const { native } of this.free.splice(0)) native.dispose()
  }
}

/** The log-probability that is reported for a token outside the distribution, which is next to impossible. */
const minLogprob = -9999

/**
 * The log-probability of a chosen token and of the most probable ones.
 * @param probabilities token, probability, … as {@link Sampled} has them
 * @param bytesOf the bytes that a token adds to the text
 */
export const tokenLogprob = (
  token: number,
  probabilities: readonly number[],
  top: number,
  bytesOf: (token: number) => Uint8Array,
): TokenLogprob => {
  const alternatives = Array.from({ length: Math.min(top, probabilities.length / 2) }, (_, rank) =>
    describe(probabilities[2 * rank] ?? 0, probabilities[2 * rank + 1] ?? 0, bytesOf),
  )
  return {
    ...describe(token, probabilityOf(token, probabilities), bytesOf),
    ...(top > 0 ? { top: alternatives } : {}),
  }
}

const probabilityOf = (token: number, probabilities: readonly number[]): number => {
  for (let at = 0; at < probabilities.length; at += 2)
    if (probabilities[at] === token) return probabilities[at + 1] ?? 0
  return 0
}

const describe = (token: number, probability: number, bytesOf: (token: number) => Uint8Array) => {
  const bytes = bytesOf(token)
  return {
    token: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    logprob: probability > 0 ? Math.log(probability) : minLogprob,
    bytes: [...bytes],
  }
}
