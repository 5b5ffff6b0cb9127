/** What the kernel checks of embedding backends: vectors of the wrong number would be those of other texts. */

import type { EmbeddingCapability, EmbeddingResult } from '../capabilities/embedding.js'
import { failure, loggable } from '../errors/index.js'

type Embed = EmbeddingCapability['embed']

/**
 * One vector of finite numbers per input, or the call fails.
 * @param origin whose code it is, for the log
 */
export const withSoundVectors =
  (embed: Embed, origin: string): Embed =>
  async (request, call) => {
    const result = await embed(request, call)
    const problem = problemOf(result, request.inputs.length)
    if (problem !== undefined) throw unsound(origin, problem)
    return result
  }

/** All vectors of an answer are of one length, or the call fails. */
export const withOneLength =
  (embed: Embed, origin: string): Embed =>
  async (request, call) => {
    const result = await embed(request, call)
    const lengths = [...new Set(result.vectors.map(({ length }) => length))]
    if (lengths.length > 1) throw unsound(origin, `vectors of different lengths: ${lengths.slice(0, 8).join(', ')}`)
    return result
  }

const unsound = (origin: string, problem: string) =>
  failure('internal', {}, { cause: loggable(new TypeError(`embed() of the ${origin} returned ${problem}`)) })

/** Plugins without a compiler return what they like. */
const problemOf = (result: Partial<EmbeddingResult> | undefined, inputs: number): string | undefined => {
  const { vectors, promptTokens } = result ?? {}
  if (!Array.isArray(vectors)) return 'no list of vectors'
  if (vectors.length !== inputs) return `${vectors.length} vectors for ${inputs} inputs`
  const wrong = vectors.findIndex((vector) => !isVector(vector))
  if (wrong >= 0) return `as vector ${wrong} what is no Float32Array, or an empty one`
  const endless = vectors.findIndex((vector) => !areFinite(vector))
  if (endless >= 0) return `numbers that are not finite in vector ${endless}`
  return Number.isInteger(promptTokens) && Number(promptTokens) >= 0 ? undefined : 'no number of tokens (promptTokens)'
}

/** Also of another realm, as under test runners. */
const isVector = (value: unknown): value is Float32Array =>
  Object.prototype.toString.call(value) === '[object Float32Array]' && (value as Float32Array).length > 0

/** Infinity times 0 is NaN. Without a function per number, which takes ten times as long. */
const areFinite = (vector: Float32Array): boolean => {
  let sum = 0
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) * 0
  return sum === 0
}
