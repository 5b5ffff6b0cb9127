import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const positive = { type: 'integer', minimum: 1 } as const

export const threads = {
  ...positive,
  maximum: 1024,
  description: 'Threads that run the model. Default: the physical cores that the process may use.',
} as const

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    threads,
    optimization: {
      enum: ['disabled', 'basic', 'extended', 'all'],
      default: 'all',
      description: 'How far onnxruntime rewrites the graph while it loads it.',
    },
    executionProvider: {
      enum: ['cpu', 'cuda', 'coreml', 'dml'],
      default: 'cpu',
      description:
        'What runs the model: the CPU, or an accelerator that the installed onnxruntime-node supports (cuda on Linux, ' +
        'coreml on macOS, dml on Windows). Operators that the accelerator does not support run on the CPU.',
    },
    batchTokens: {
      ...positive,
      default: 1024,
      description:
        'The maximum number of tokens in a batch of texts of concurrent requests, padding included. More costs memory ' +
        'and makes short texts wait for longer batches.',
    },
    queue: {
      ...positive,
      default: 20_000,
      description:
        'The maximum number of texts (or runs of tensors) that wait, of all requests together; further requests are ' +
        'refused as overloaded. A request that finds none waiting is admitted whatever its size.',
    },
    contextLength: {
      ...positive,
      minimum: 8,
      description:
        'Longest text in tokens, special ones included. Default: as the model’s files say; where they state none, ' +
        'the longest of 512, 256, 128, 64 and 32 tokens that the model accepts.',
    },
    pooling: {
      enum: ['mean', 'cls', 'last', 'max'],
      description: 'How the vectors of a text’s tokens become one. Default: as the model’s files say, or mean.',
    },
    normalize: {
      type: 'boolean',
      description: 'Whether vectors are brought to unit length. Default: as the model’s files say, or true.',
    },
    prefixes: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description:
        'Prefixes of the texts of requests with an input_type, for models trained with prefixes. Default: as the ' +
        'model’s files say, or none.',
      properties: {
        query: { type: 'string', description: 'Prefix of search queries, such as "query: ".' },
        document: { type: 'string', description: 'Prefix of documents to search, such as "passage: ".' },
      },
    },
    labels: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 64 },
      description:
        'What a GLiNER model is to find, in words such as "person" or "phone number". Default: person, location, organization.',
    },
    dimensions: {
      type: 'array',
      items: positive,
      description: 'Dimensions to which vectors may be cut, for models trained for it (Matryoshka).',
    },
  },
} as const satisfies OptionsSchema

/** Options of one model, under `models.<id>.options`. */
export type OnnxOptions = OptionsOf<typeof optionsSchema>
