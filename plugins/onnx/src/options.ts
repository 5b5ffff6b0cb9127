import type { OptionsSchema } from '@sallyport/core'
import type { Pooling } from './encoder/rows.js'
import type { SessionOptions } from './session/ort-session.js'

/** Options of one model, under `models.<id>.options`. */
export interface OnnxOptions extends SessionOptions {
  /** Tokens of a batch, padding included. */
  readonly batchTokens: number
  /** Texts (or runs of tensors) that may wait; more are refused with `overloaded`. */
  readonly queue: number
  /** Longest text in tokens, special ones included. Default: as the model's files say. */
  readonly contextLength?: number
  /** How the vectors of a text's tokens become one. Default: as the model's files say, or the mean. */
  readonly pooling?: Pooling
  /** Whether vectors have unit length. Default: as the model's files say, or that they have. */
  readonly normalize?: boolean
  /** Put before texts to embed. Default: as the model's files say, or nothing. */
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** Lengths to which vectors may be cut (Matryoshka). Default: as the model's files say, or none. */
  readonly dimensions?: readonly number[]
}

const positive = { type: 'integer', minimum: 1 } as const

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    threads: { ...positive, maximum: 1024, description: 'Default: the physical cores that the process may use.' },
    optimization: {
      enum: ['disabled', 'basic', 'extended', 'all'],
      default: 'all',
      description: 'How far onnxruntime rewrites the graph while it loads it.',
    },
    executionProvider: {
      enum: ['cpu', 'cuda', 'coreml', 'dml'],
      default: 'cpu',
      description:
        'What computes: the processor, or an accelerator that the installed onnxruntime-node supports (cuda on Linux, ' +
        'coreml on macOS, dml on Windows). What the accelerator lacks is computed on the processor.',
    },
    batchTokens: {
      ...positive,
      default: 1024,
      description:
        'Texts of concurrent requests are evaluated together as long as they have no more tokens than this, padding ' +
        'included. More costs memory and makes short texts wait for longer batches.',
    },
    queue: {
      ...positive,
      default: 20_000,
      description:
        'Texts that may wait, of all requests together; requests beyond it are refused as overloaded. A request ' +
        'that finds nothing waiting is taken whatever its size.',
    },
    contextLength: {
      ...positive,
      minimum: 8,
      description:
        'Longest text in tokens, special ones included. Default: as the model’s files say; where they say nothing, ' +
        'what the model evaluates, at most 512.',
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
        'Put before the texts of a request that says what they are for (input_type), for models trained with ' +
        'prefixes. Default: as the model’s files say, or nothing.',
      properties: {
        query: { type: 'string', description: 'Before search queries: "query: ".' },
        document: { type: 'string', description: 'Before what is searched: "passage: ".' },
      },
    },
    dimensions: {
      type: 'array',
      items: positive,
      description: 'Lengths to which vectors may be cut, for models trained for it (Matryoshka).',
    },
  },
}
