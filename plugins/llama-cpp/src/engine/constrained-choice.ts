import type { SamplerConfig } from './native-context.js'

/** The search ends when the remaining probability is less than this share of the probability found. */
const negligibleRest = 0.001

interface Candidate {
  readonly token: number
  readonly probability: number
}

/**
 * Chooses among the candidates that are admitted, by the sampling options; undefined where none is.
 * @param candidates token, probability at the temperature, … most probable first
 * @param random returns numbers from 0 to 1, 1 excluded
 */
export const chooseAdmitted = (
  candidates: readonly number[],
  admits: (token: number) => boolean,
  sampling: Pick<SamplerConfig, 'temperature' | 'topK' | 'topP' | 'minP'>,
  random: () => number,
): number | undefined => {
  const greedy = !sampling.temperature
  const admitted = mostProbableAdmitted(candidates, admits, greedy ? 1 : (sampling.topK ?? Infinity))
  return greedy ? admitted[0]?.token : draw(truncateDistribution(admitted, sampling), random())
}

/** The most probable admitted candidates, up to a maximum. */
const mostProbableAdmitted = (
  candidates: readonly number[],
  admits: (token: number) => boolean,
  max: number,
): Candidate[] => {
  const admitted: Candidate[] = []
  let rest = 1
  let found = 0
  for (let at = 0; at < candidates.length && admitted.length < max; at += 2) {
    const [token = 0, probability = 0] = candidates.slice(at, at + 2)
    rest -= probability
    if (!admits(token)) continue
    admitted.push({ token, probability })
    found += probability
    if (rest <= negligibleRest * found) break
  }
  return admitted
}

/** Applies top p, then min p, both before the temperature, which is the order of llama.cpp's chain. */
const truncateDistribution = (
  admitted: readonly Candidate[],
  { temperature = 1, topP = 1, minP = 0 }: Pick<SamplerConfig, 'temperature' | 'topP' | 'minP'>,
): readonly Candidate[] => {
  const shares = admitted.map(({ probability }) => probability ** temperature)
  const nucleus = topP * shares.reduce((sum, share) => sum + share, 0)
  const min = minP * (shares[0] ?? 0)
  let before = 0
  return admitted.filter((_, rank) => {
    const [share = 0, sum] = [shares[rank], before]
    before += share
    return (rank === 0 || sum < nucleus) && share >= min
  })
}

const draw = (candidates: readonly Candidate[], share: number): number | undefined => {
  let left = share * candidates.reduce((sum, { probability }) => sum + probability, 0)
  return (candidates.find(({ probability }) => (left -= probability) < 0) ?? candidates.at(-1))?.token
}
