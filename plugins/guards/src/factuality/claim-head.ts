import type { FactualityModel } from './word-table.js'

/** Logit of a claim's support; higher is better supported. */
export const supportOf = (
  { mean, scale, weights, bias }: Pick<FactualityModel, 'mean' | 'scale' | 'weights' | 'bias'>,
  features: readonly number[],
): number =>
  features.reduce(
    (total, value, at) => total + ((value - (mean[at] ?? 0)) / (scale[at] ?? 1)) * (weights[at] ?? 0),
    bias,
  )
