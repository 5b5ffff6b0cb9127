/** Adds to services the features that the kernel implements for all backends. */

import { chat, completion, embedding, failure, loggable, rerank } from '@sallyport/core'
import type { AnyShape, Call, Capability } from '@sallyport/core'
import type { ChatCapability, CompletionCapability, EmbeddingCapability, RerankCapability } from '@sallyport/core'
import { withValidChunks } from './chunks.js'
import { withBatches, withEqualDimensions, withValidVectors } from './embedding.js'
import { withChoices, withEcho, withUsage } from './generation.js'
import type { GenerationChunk, GenerationRequest, GenerationStream, UsageCounter } from './generation.js'

export type Method = (request: unknown, call: Call) => unknown

/** @param label the backend or plugin and the model, for the log */
export const withKernelFeatures = (
  { name, methods }: Capability,
  service: object,
  label: string,
  usageCounter: () => UsageCounter | undefined,
): object => {
  const generation = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
    stream: GenerationStream<Request, Chunk>,
  ) => withUsage(withChoices(withValidChunks(stream)), usageCounter())
  if (name === chat.name) return { stream: generation((service as ChatCapability).stream.bind(service)) }
  if (name === completion.name)
    return { stream: withEcho(generation((service as CompletionCapability).stream.bind(service))) }
  if (name === embedding.name) {
    const embed = (service as EmbeddingCapability).embed.bind(service)
    return { embed: withEqualDimensions(withBatches(withValidVectors(embed, label)), label) }
  }
  if (name === rerank.name) return { rerank: withDocuments((service as RerankCapability).rerank.bind(service), label) }
  return withChoicesForStreams(methods, service as Record<string, Method>)
}

/**
 * Returns, where the request asks for them, the documents that the backend received, as the safeguards left them.
 * @throws invalid_backend_result where the backend ranks a document that there is not
 */
const withDocuments =
  (inner: RerankCapability['rerank'], label: string): RerankCapability['rerank'] =>
  async ({ returnDocuments, ...request }, call) => {
    const { documents } = request
    const result = await inner(request, call)
    const ranking = result.ranking.map(({ index, score }) => {
      const document = documents[index]
      if (document !== undefined) return { index, score, ...(returnDocuments && { document }) }
      const problem = `rerank() of the ${label} returned the index ${index} of ${documents.length} documents`
      throw failure(
        'invalid_backend_result',
        { requestId: call.requestId },
        { cause: loggable(new TypeError(problem)) },
      )
    })
    return { ...result, ranking }
  }

/** Adds `n` to streams of other capabilities whose shapes have it. */
const withChoicesForStreams = (methods: Capability['methods'], service: Record<string, Method>): object => {
  const hasChoices = ({ kind, request, result }: Capability['methods'][string]) =>
    kind === 'stream' && hasMember(request, 'n?') && hasMember(result, 'choice?')
  const entries = Object.entries(methods).flatMap(([name, declaration]) => {
    const method = service[name]?.bind(service)
    if (!method) return []
    return [[name, hasChoices(declaration) ? withChoices(method as GenerationStream<never, never>) : method]]
  })
  return Object.fromEntries(entries) as object
}

export const hasMember = (shape: AnyShape, name: string): boolean => typeof shape === 'object' && name in shape
