/** What the kernel adds to embedding backends: long lists of inputs go to them in parts, and vectors are looked at. */

import { setTimeout as delay } from 'node:timers/promises'
import { failure, isSallyportError, loggable, movedInput } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingResult } from '@sallyport/core'

type Embed = EmbeddingCapability['embed']

/** Inputs of a part: its vectors, some hundred kilobytes, are received in a millisecond or two. */
const partSize = 256
/** Parts at the model at once: the next one is there when one is done. */
const parallel = 2

/**
 * Ten thousand inputs and their vectors, in one message each, would hold the event loop of this process for tens of
 * milliseconds. What has begun is finished: later parts that find the model's queue full wait.
 */
export const inParts =
  (embed: Embed): Embed =>
  async (request, call) => {
    const { inputs } = request
    if (inputs.length <= partSize) return embed(request, call)
    const results: EmbeddingResult[] = []
    const failed = new AbortController()
    const partCall: Call = { ...call, signal: AbortSignal.any([call.signal, failed.signal]) }
    const starts = Array.from({ length: Math.ceil(inputs.length / partSize) }, (_, part) => part * partSize).values()
    const work = async () => {
      for (const start of starts) {
        const part = { ...request, inputs: inputs.slice(start, start + partSize) }
        results[start / partSize] = await embedPart(() => embed(part, partCall), start, partCall)
      }
    }
    try {
      await Promise.all(Array.from({ length: parallel }, work))
    } catch (error) {
      failed.abort(failure('client_closed', {}))
      throw error
    }
    return {
      vectors: results.flatMap(({ vectors }) => vectors),
      promptTokens: results.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    }
  }

const embedPart = async (embed: () => Promise<EmbeddingResult>, start: number, { signal }: Call) => {
  for (;;) {
    try {
      return await embed()
    } catch (error) {
      if (!isSallyportError(error) || error.code !== 'overloaded' || start === 0)
        throw movedInput(error, (index) => index + start)
      await delay((error.retryAfter ?? 1) * 1000, undefined, { signal })
    }
  }
}

/**
 * One vector of finite numbers per input: of a wrong number of vectors, some would be those of other texts.
 * @param origin whose code it is, for the log
 * @throws invalid_backend_result
 */
export const withValidVectors = (embed: Embed, origin: string): Embed => checked(embed, origin, problemOf)

/** All vectors of an answer have one length. @throws invalid_backend_result */
export const withOneLength = (embed: Embed, origin: string): Embed =>
  checked(embed, origin, ({ vectors }) => {
    const lengths = [...new Set(vectors.map(({ length }) => length))]
    return lengths.length > 1 ? `vectors of different lengths: ${lengths.slice(0, 8).join(', ')}` : undefined
  })

const checked =
  (embed: Embed, origin: string, problem: (result: EmbeddingResult, inputs: number) => string | undefined): Embed =>
  async (request, call) => {
    const result = await embed(request, call)
    const found = problem(result, request.inputs.length)
    if (found === undefined) return result
    const cause = loggable(new TypeError(`embed() of the ${origin} returned ${found}`))
    throw failure('invalid_backend_result', { requestId: call.requestId }, { cause })
  }

const problemOf = ({ vectors, promptTokens }: EmbeddingResult, inputs: number): string | undefined => {
  if (vectors.length !== inputs) return `${vectors.length} vectors for ${inputs} inputs`
  const empty = vectors.findIndex(({ length }) => length === 0)
  if (empty >= 0) return `an empty vector ${empty}`
  const endless = vectors.findIndex((vector) => !areFinite(vector))
  if (endless >= 0) return `numbers that are not finite in vector ${endless}`
  return Number.isInteger(promptTokens) && promptTokens >= 0 ? undefined : 'no number of tokens (promptTokens)'
}

/** Infinity times 0 is NaN. A loop without a function per number takes a tenth of the time. */
const areFinite = (vector: Float32Array): boolean => {
  let sum = 0
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) * 0
  return sum === 0
}
