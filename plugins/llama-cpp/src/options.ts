import type { OptionsSchema } from '@sallyport/core'
import type { SamplingDefaults } from './engine/sampling.js'

/** The options of one model, under `models.<id>.options`. */
export interface LlamaCppOptions {
  /** Tokens per sequence, prompt and answer together. Default: the model's own length, at most 4096. */
  readonly contextLength?: number
  /** Requests that are answered at the same time; memory for each is taken at start. */
  readonly parallel: number
  /** Requests that may wait; more are refused with `overloaded`. */
  readonly queue: number
  /** Default: found by a measurement at start, at most the physical cores. */
  readonly threads?: number
  /** Milliseconds of prompt evaluation between two checks for an aborted request. */
  readonly sliceMilliseconds: number
  /** Jinja text that replaces the model's own template. */
  readonly chatTemplate?: string
  /** Also offer embeddings of a model that is not trained for them: the vector of the last token. */
  readonly embeddings?: boolean
  /** Lengths to which vectors may be shortened, for models trained for it (Matryoshka). */
  readonly dimensions: readonly number[]
  /** Texts that are put before the inputs of embeddings, for models trained with prefixes. */
  readonly prefixes: { readonly query: string; readonly document: string }
  readonly sampling: SamplingDefaults
}

const positive = { type: 'integer', minimum: 1 } as const
const share = { type: 'number', minimum: 0, maximum: 1 } as const

/** The sampling defaults are those of llama.cpp's own programs. */
export const optionsSchema: OptionsSchema = {
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
      description: 'Requests that may wait; more are refused as overloaded.',
    },
    threads: { ...positive, description: 'Default: found by a measurement at start, at most the physical cores.' },
    sliceMilliseconds: {
      ...positive,
      default: 80,
      description: 'Milliseconds of prompt evaluation between two checks for an aborted request.',
    },
    chatTemplate: { type: 'string', minLength: 1, description: "Jinja text that replaces the model's own template." },
    embeddings: {
      type: 'boolean',
      description: 'Also offer embeddings of a model that is not trained for them: the vector of the last token.',
    },
    dimensions: {
      type: 'array',
      items: positive,
      default: [],
      description: 'Lengths to which vectors may be shortened, for models trained for it (Matryoshka).',
    },
    prefixes: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'Texts that are put before the inputs of embeddings, for models trained with prefixes.',
      properties: { query: { type: 'string', default: '' }, document: { type: 'string', default: '' } },
    },
    sampling: {
      type: 'object',
      additionalProperties: false,
      default: {},
      description: 'How tokens are chosen where a request does not say.',
      properties: {
        temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.8 },
        topP: { ...share, default: 0.95 },
        topK: { type: 'integer', minimum: 0, default: 40 },
        minP: { ...share, default: 0.05 },
      },
    },
  },
}
