/** What the kernel adds to embedding backends: it sends long lists of inputs in batches, and validates the vectors. */

import { setTimeout as delay } from 'node:timers/promises'
import { failure, isSallyportError, loggable, withInputIndex } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingResult } from '@sallyport/core'

type Embed = EmbeddingCapability['embed']

/** Number of inputs in a batch. Its vectors, a few hundred kilobytes, are received in one or two milliseconds. */
const batchSize = 256
/** Number of batches in flight: the model has the next one when one is done. */
const parallelBatches = 2

/**
 * Splits long lists of inputs into batches: ten thousand inputs in one message, and their vectors in another, would
 * block the event loop for tens of milliseconds. Only the first batch may be refused: later ones that find the model's
 * queue full wait and try again.
 */
export const withBatches =
  (embed: Embed): Embed =>
  async (request, call) => {
    const { inputs } = request
    if (inputs.length <= batchSize) return embed(request, call)
    const results: EmbeddingResult[] = []
    const failureController = new AbortController()
    const batchCall: Call = { ...call, signal: AbortSignal.any([call.signal, failureController.signal]) }
    const starts = Array.from({ length: Math.ceil(inputs.length / batchSize) }, (_, part) => part * batchSize).values()
    const work = async () => {
      for (const start of starts) {
        const batch = { ...request, inputs: inputs.slice(start, start + batchSize) }
        results[start / batchSize] = await embedBatch(() => embed(batch, batchCall), start, batchCall)
      }
    }
    try {
      await Promise.all(Array.from({ length: parallelBatches }, work))
    } catch (error) {
      failureController.abort(failure('client_closed', {}))
      throw error
    }
    return {
      vectors: results.flatMap(({ vectors }) => vectors),
      promptTokens: results.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    }
  }

const embedBatch = async (embed: () => Promise<EmbeddingResult>, start: number, { signal }: Call) => {
  for (;;) {
    try {
      return await embed()
    } catch (error) {
      if (!isSallyportError(error) || error.code !== 'overloaded' || start === 0)
        throw withInputIndex(error, (index) => index + start)
      await delay((error.retryAfter ?? 1) * 1000, undefined, { signal })
    }
  }
}

/**
 * Requires one vector of finite numbers per input, or some would be assigned to other texts, and a number of tokens.
 * @param label the backend or plugin and the model, for the log
 * @throws invalid_backend_result
 */
export const withValidVectors = (embed: Embed, label: string): Embed => withCheck(embed, label, problemOf)

/** Requires that all vectors of an answer have the same number of dimensions. @throws invalid_backend_result */
export const withEqualDimensions = (embed: Embed, label: string): Embed =>
  withCheck(embed, label, ({ vectors }) => {
    const dimensions = [...new Set(vectors.map(({ length }) => length))]
    return dimensions.length > 1 ? `vectors of different dimensions: ${dimensions.slice(0, 8).join(', ')}` : undefined
  })

const withCheck =
  (embed: Embed, label: string, problem: (result: EmbeddingResult, inputs: number) => string | undefined): Embed =>
  async (request, call) => {
    const result = await embed(request, call)
    const found = problem(result, request.inputs.length)
    if (found === undefined) return result
    const cause = loggable(new TypeError(`embed() of the ${label} returned ${found}`))
    throw failure('invalid_backend_result', { requestId: call.requestId }, { cause })
  }

const problemOf = ({ vectors, promptTokens }: EmbeddingResult, inputs: number): string | undefined => {
  if (vectors.length !== inputs) return `${vectors.length} vectors for ${inputs} inputs`
  const empty = vectors.findIndex(({ length }) => length === 0)
  if (empty >= 0) return `an empty vector at index ${empty}`
  const notFinite = vectors.findIndex((vector) => !areFinite(vector))
  if (notFinite >= 0) return `numbers that are not finite in the vector at index ${notFinite}`
  return Number.isInteger(promptTokens) && promptTokens >= 0 ? undefined : 'no number of tokens (promptTokens)'
}

/** Uses that Infinity times 0 is NaN. A loop takes a tenth of the time of a function per number. */
const areFinite = (vector: Float32Array): boolean => {
  let sum = 0
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) * 0
  return sum === 0
}
