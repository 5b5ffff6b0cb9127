import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { bytes, list, oneOf } from './shape.js'

/**
 * A text, token ids of the model's vocabulary, or an image with or without text. Special tokens are added to ids as
 * to a text; an id outside the vocabulary becomes the unknown token.
 */
export type EmbeddingInput =
  { text: string } | { tokens: number[] } | { image: Uint8Array; mediaType: string; text?: string }

export interface EmbeddingRequest {
  inputs: EmbeddingInput[]
  /** What the vector is for: models trained with prefixes treat both differently. */
  inputType?: 'query' | 'document'
  /** Cut inputs that are too long at this end, instead of refusing them. */
  truncate?: 'left' | 'right'
  /** Shorter vectors (Matryoshka): cut and normalised again; refused where the model does not allow it. */
  dimensions?: number
}

export interface EmbeddingResult {
  /** In the order of the inputs; L2-normalised, unless the model's `description` says that they are not. */
  vectors: Float32Array[]
  promptTokens: number
}

/** Converts texts and images to vectors. */
export interface EmbeddingCapability {
  /**
   * @throws context_exceeded (an input is too long and `truncate` is absent), unsupported, overloaded, invalid_request
   * with the position of an invalid token id (`inputs[3].tokens[5]`)
   */
  embed(request: EmbeddingRequest, call: Call): Promise<EmbeddingResult>
}

export const embedding = capability<EmbeddingCapability>()('embedding', {
  guarded: true,
  methods: {
    embed: {
      kind: 'call',
      request: {
        inputs: list({
          'text?': 'text',
          'tokens?': list('number'),
          'image?': bytes('pixels: read by the model only'),
          'mediaType?': opaque('from the bytes'),
        }),
        'inputType?': oneOf('query', 'document'),
        'truncate?': oneOf('left', 'right'),
        'dimensions?': 'number',
      },
      result: { vectors: list('floats'), promptTokens: 'number' },
      encoded: ['tokens'],
    },
  },
})
