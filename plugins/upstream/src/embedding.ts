import { append } from '@sallyport/kit/lists'
import { failure, isSallyportError } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import type { UpstreamClient } from './client/client.js'
import type { UpstreamOptions } from './options.js'
import { decodeVectors } from './wire/vectors.js'

type WireInput = string | readonly number[]

export class UpstreamEmbedding implements EmbeddingCapability {
  constructor(
    private readonly client: UpstreamClient,
    private readonly model: string,
    private readonly options: UpstreamOptions['embedding'],
  ) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const inputs = request.inputs.map((input, index) => this.#encode(input, index, request.inputType))
    const vectors: Float32Array[] = []
    let promptTokens = 0
    for (const batch of batches(inputs, this.options.batch)) {
      const result = await this.#embed(batch, request, call)
      append(vectors, result.vectors)
      promptTokens += result.promptTokens
    }
    const { dimensions } = request
    if (dimensions !== undefined && vectors.some(({ length }) => length !== dimensions))
      throw failure('unsupported', { field: 'dimensions', problem: 'the model does not shorten its vectors' })
    return { vectors, promptTokens }
  }

  async #embed(input: readonly WireInput[], { dimensions, truncate }: EmbeddingRequest, call: Call) {
    const body = { model: this.model, input, encoding_format: 'base64', dimensions }
    try {
      return await this.client.ask({ path: '/embeddings', body }, call, (answer) => decodeVectors(answer, input.length))
    } catch (error) {
      if (!truncate || !isSallyportError(error) || error.code !== 'context_exceeded') throw error
      // OpenAI's interface has no field for truncation.
      const problem = 'an input is too long, and the server behind the model cannot truncate it: shorten it'
      throw failure('unsupported', { field: 'truncate', problem })
    }
  }

  #encode(input: EmbeddingInput, index: number, type: EmbeddingRequest['inputType']): WireInput {
    if ('image' in input)
      throw failure('unsupported', { field: `input[${index}]`, problem: 'the model does not embed images' })
    if ('tokens' in input) return input.tokens
    const { queryPrefix, documentPrefix } = this.options
    return (type === 'query' ? queryPrefix : type === 'document' ? documentPrefix : '') + input.text
  }
}

/** Strings and token ids are in different batches, because few servers take both in one request. */
const batches = (inputs: readonly WireInput[], size: number): WireInput[][] => {
  const result: WireInput[][] = []
  for (const input of inputs) {
    const last = result.at(-1)
    const fits = last && last.length < size && typeof last[0] === typeof input
    if (fits) last.push(input)
    else result.push([input])
  }
  return result
}
