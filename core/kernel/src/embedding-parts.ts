/** What the kernel adds to embedding backends: long lists of inputs go to them in parts. */

import { setTimeout as delay } from 'node:timers/promises'
import { failure, isSallyportError, movedInput } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'

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
      for (const start of starts) results[start / partSize] = await embedPart(embed, request, start, partCall)
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

const embedPart = async (embed: Embed, request: EmbeddingRequest, start: number, call: Call) => {
  const part = { ...request, inputs: request.inputs.slice(start, start + partSize) }
  for (;;) {
    try {
      return await embed(part, call)
    } catch (error) {
      if (!isSallyportError(error) || error.code !== 'overloaded' || start === 0)
        throw movedInput(error, (index) => index + start)
      await delay((error.retryAfter ?? 1) * 1000, undefined, { signal: call.signal })
    }
  }
}
