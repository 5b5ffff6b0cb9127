/** What the kernel checks of embedding backends: vectors of the wrong number would be those of other texts. */

import { failure, loggable } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingResult } from '@sallyport/core'

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
    if (problem !== undefined) throw unsound(origin, problem, call)
    return result
  }

/** All vectors of an answer are of one length, or the call fails. */
export const withOneLength =
  (embed: Embed, origin: string): Embed =>
  async (request, call) => {
    const result = await embed(request, call)
    const lengths = [...new Set(result.vectors.map(({ length }) => length))]
    if (lengths.length > 1)
      throw unsound(origin, `vectors of different lengths: ${lengths.slice(0, 8).join(', ')}`, call)
    return result
  }

const unsound = (origin: string, problem: string, { requestId }: Call) =>
  failure(
    'invalid_backend_result',
    { requestId },
    { cause: loggable(new TypeError(`embed() of the ${origin} returned ${problem}`)) },
  )

const problemOf = ({ vectors, promptTokens }: EmbeddingResult, inputs: number): string | undefined => {
  if (vectors.length !== inputs) return `${vectors.length} vectors for ${inputs} inputs`
  const empty = vectors.findIndex(({ length }) => length === 0)
  if (empty >= 0) return `an empty vector ${empty}`
  const endless = vectors.findIndex((vector) => !areFinite(vector))
  if (endless >= 0) return `numbers that are not finite in vector ${endless}`
  return Number.isInteger(promptTokens) && promptTokens >= 0 ? undefined : 'no number of tokens (promptTokens)'
}

/** Infinity times 0 is NaN. Without a function per number, which takes ten times as long. */
const areFinite = (vector: Float32Array): boolean => {
  let sum = 0
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) * 0
  return sum === 0
}
