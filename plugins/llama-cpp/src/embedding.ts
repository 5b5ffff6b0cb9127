import { failure, tooLongAt } from '@sallyport/core'
import type { Call, EmbeddingCapability, EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { knownTokens } from '@sallyport/kit/generation'
import { normalised } from '@sallyport/kit/numbers'
import { Pacer } from '@sallyport/kit/async'
import type { Embedder } from './engine/embedder.js'
import { SliceTokenizer } from './engine/slice-tokenizer.js'
import type { Vocabulary } from './engine/vocabulary.js'
import type { LlamaCppOptions } from './options.js'

/** Converts texts and token ids to unit vectors. */
export class LlamaCppEmbedding implements EmbeddingCapability {
  constructor(
    private readonly embedder: Embedder,
    private readonly vocabulary: Vocabulary,
    private readonly options: Pick<LlamaCppOptions, 'dimensions' | 'prefixes'>,
  ) {}

  async embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult> {
    const { vocabulary, embedder } = this
    const tokenizer = new SliceTokenizer({ vocabulary, limit: embedder.limit, pacer: new Pacer(call) })
    const inputs: Uint32Array[] = []
    for (const [index, input] of request.inputs.entries())
      inputs.push(
        await this.tokens(input, request, tokenizer, `inputs[${index}]`).catch((error: unknown) => {
          throw tooLongAt(`inputs[${index}]`, error)
        }),
      )
    const vectors: Float32Array[] = []
    let promptTokens = 0
    for (const [index, input] of inputs.entries()) {
      const { vector, tokens } = await embedder.embed(input, `inputs[${index}]`, call)
      vectors.push(this.shorten(vector, request))
      promptTokens += tokens
    }
    return { vectors, promptTokens }
  }

  private async tokens(input: EmbeddingInput, request: EmbeddingRequest, tokenizer: SliceTokenizer, field: string) {
    const { inputType, truncate } = request
    if ('image' in input) throw failure('unsupported', { field, problem: 'this model does not take images' })
    if ('tokens' in input)
      return this.fit(Uint32Array.from(knownTokens(input.tokens, this.vocabulary, `${field}.tokens`)), request)
    const text = (inputType ? this.options.prefixes[inputType] : '') + input.text
    return this.fit(await (truncate ? tokenizer.truncate(text, truncate) : tokenizer.tokenize(text)), request)
  }

  private fit(tokens: Uint32Array, { truncate }: EmbeddingRequest): Uint32Array {
    const { limit } = this.embedder
    if (tokens.length <= limit) return tokens
    if (!truncate) throw failure('context_exceeded', { tokens: tokens.length, limit })
    return truncate === 'right' ? tokens.slice(0, limit) : tokens.slice(-limit)
  }

  private shorten(vector: Float32Array, { dimensions }: EmbeddingRequest): Float32Array {
    if (dimensions === undefined || dimensions === vector.length) return vector
    const { dimensions: allowed } = this.options
    if (dimensions > vector.length || !allowed.includes(dimensions)) {
      const problem = `vectors of this model have ${[...allowed, vector.length].join(' or ')} dimensions`
      throw failure('unsupported', { field: 'dimensions', problem })
    }
    return normalised(vector.subarray(0, dimensions))
  }
}
