import { Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import type { Call } from '@sallyport/core'

/** Settings of a search. */
export interface SearchOptions {
  readonly beams: number
  /** A sum of log-probabilities is divided by the length to the power of this. */
  readonly lengthPenalty: number
  readonly startId: number
  readonly endId: number
  /** Token sequences that must not occur; most have one token. */
  readonly banned: readonly (readonly number[])[]
}

/** Extends translations by a token: see `Decoding`. */
export interface Steps {
  step(parents: readonly number[], tokens: readonly number[], call: Call): Promise<Float32Array[]>
}

interface Hypothesis {
  readonly tokens: readonly number[]
  /** Sum of log-probabilities. */
  readonly score: number
}

/** A hypothesis that is extended in a row of the batch. */
interface OpenHypothesis extends Hypothesis {
  readonly row: number
}

/** The search for the translation of one text. */
interface Search {
  readonly maxLength: number
  growing: readonly OpenHypothesis[]
  readonly finished: (Hypothesis & { readonly value: number })[]
}

/**
 * Beam search for several texts at once; with one beam it is greedy. A text that is done leaves the batch.
 * @param maxLengths the maximum number of tokens of each translation
 * @returns the token ids of each translation, without those at the start and the end
 */
export const beamSearch = async (
  steps: Steps,
  maxLengths: readonly number[],
  options: SearchOptions,
  call: Call,
): Promise<number[][]> => {
  const pacer = new Pacer(call)
  const searches = maxLengths.map((maxLength, row): Search => ({
    maxLength,
    growing: [{ row, tokens: [], score: 0 }],
    finished: [],
  }))
  let running = searches
  while (running.length > 0) {
    const hypotheses = running.flatMap(({ growing }) => growing)
    const logits = await steps.step(
      hypotheses.map(({ row }) => row),
      hypotheses.map(({ tokens }) => tokens.at(-1) ?? options.startId),
      call,
    )
    let row = 0
    for (const search of running) {
      const rows = search.growing.map((hypothesis) => ({ ...hypothesis, row: row++ }))
      const candidates: OpenHypothesis[] = []
      for (const hypothesis of rows) {
        await pacer.pause()
        append(candidates, continuations(hypothesis, logits[hypothesis.row] ?? new Float32Array(0), options))
      }
      advance(search, candidates, options)
    }
    running = running.filter((search) => !isDone(search, options))
  }
  return searches.map((search) => best(search, options))
}

/** The most probable continuations: twice as many as beams, because half of them may end. */
const continuations = (
  { row, tokens, score }: OpenHypothesis,
  logits: Float32Array,
  options: SearchOptions,
): OpenHypothesis[] => {
  // The sum includes banned tokens, as in training.
  const total = logSumExp(logits)
  for (const sequence of options.banned) {
    const last = sequence.at(-1)
    const before = sequence.slice(0, -1)
    const applies = before.every((token, index) => tokens[tokens.length - before.length + index] === token)
    if (last !== undefined && applies && last < logits.length) logits[last] = -Infinity
  }
  return largest(logits, 2 * options.beams).map((token) => ({
    row,
    tokens: [...tokens, token],
    score: score + (logits[token] ?? -Infinity) - total,
  }))
}

const logSumExp = (values: Float32Array): number => {
  let max = -Infinity
  for (const value of values) if (value > max) max = value
  let sum = 0
  // Smaller values do not change the sum.
  for (const value of values) if (value > max - 30) sum += Math.exp(value - max)
  return max + Math.log(sum)
}

/** The positions of the largest values, in descending order; equal values stay in order. */
const largest = (values: Float32Array, count: number): number[] => {
  const positions: number[] = []
  let minValue = -Infinity
  for (let position = 0; position < values.length; position++) {
    const value = values[position] ?? -Infinity
    if (!(value > minValue) && positions.length >= count) continue
    if (value === -Infinity) continue
    let at = positions.length
    while (at > 0 && (values[positions[at - 1] ?? 0] ?? 0) < value) at -= 1
    positions.splice(at, 0, position)
    if (positions.length > count) positions.pop()
    minValue = positions.length < count ? -Infinity : (values[positions.at(-1) ?? 0] ?? 0)
  }
  return positions
}

const normalisedScore = ({ tokens, score }: Hypothesis, { lengthPenalty }: SearchOptions): number =>
  score / Math.max(1, tokens.length) ** lengthPenalty

/** Keeps the best candidates, and finishes those among them that end. */
const advance = (search: Search, candidates: OpenHypothesis[], options: SearchOptions): void => {
  const { beams, endId } = options
  const ranked = candidates.sort((a, b) => b.score - a.score || a.row - b.row)
  const growing: OpenHypothesis[] = []
  for (const [rank, candidate] of ranked.entries()) {
    if (growing.length === beams) break
    const { tokens } = candidate
    if (tokens.at(-1) !== endId) growing.push(candidate)
    else if (rank < beams) search.finished.push({ ...candidate, value: normalisedScore(candidate, options) })
  }
  search.finished.sort((a, b) => b.value - a.value).splice(beams)
  search.growing = growing
}

/** Whether no growing hypothesis can become better than the finished ones. */
const isDone = ({ growing, finished, maxLength }: Search, options: SearchOptions): boolean => {
  const [first] = growing
  if (!first || first.tokens.length >= maxLength) return true
  if (finished.length < options.beams) return false
  return options.beams === 1 || (finished.at(-1)?.value ?? -Infinity) >= normalisedScore(first, options)
}

const best = ({ finished, growing }: Search, { endId }: SearchOptions): number[] =>
  (finished[0] ?? growing[0])?.tokens.filter((token) => token !== endId) ?? []
