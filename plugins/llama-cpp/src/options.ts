import type { OptionsOf, OptionsSchema } from '@sallyport/core'

const positive = { type: 'integer', minimum: 1 } as const
const share = { type: 'number', minimum: 0, maximum: 1 } as const

/** The options of one model, `models.<id>.options`. The sampling defaults are those of llama.cpp's own programs. */
export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    contextLength: {
      ...positive,
      minimum: 16,
      description: "Tokens per sequence, prompt and answer together. Default: the model's own length, at most 4096.",
    },
    parallel: {
      ...positive,
      maximum: 64,
      default: 4,
      description: 'Requests answered at the same time; memory for the context of each is taken at start.',
    },
    queue: {
      type: 'integer',
      minimum: 0,
      default: 64,
      description: 'Requests that may wait; further ones are refused as overloaded.',
    },
    threads: { ...positive, description: 'Default: measured at start, at most the number of physical cores.' },
    sliceMilliseconds: {
      ...positive,
      default: 80,
      description: 'Milliseconds of prompt evaluation between two checks for an aborted request.',
    },
    chatTemplate: { type: 'string', minLength: 1, description: "A Jinja template that replaces the model's own." },
    embeddings: {
      type: 'boolean',
      description: 'Also offer embeddings of a model that is not trained for them, from its last token.',
    },
    dimensions: {
      type: 'array',
      items: positive,
      default: [],
      description: 'Lengths to which embeddings may be truncated, for models that are trained for it (Matryoshka).',
    },
    prefixes: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Prefixes of the inputs of embeddings, for models that are trained with them.',
      properties: { query: { type: 'string', default: '' }, document: { type: 'string', default: '' } },
    },
    sampling: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Sampling parameters for requests that do not set them.',
      properties: {
        temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.8 },
        topP: { ...share, default: 0.95 },
        topK: { type: 'integer', minimum: 0, default: 40 },
        minP: { ...share, default: 0.05 },
      },
    },
  },
} as const satisfies OptionsSchema

export type LlamaCppOptions = OptionsOf<typeof optionsSchema>
