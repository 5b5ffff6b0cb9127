import type { OptionsSchema, RequiredFiles } from '@sallyport/core'
import type { Weights } from './graph/convert.js'

/** Options of a model, under `models.<id>.options`. */
export interface WhisperOptions {
  /** Default: the cores that the process may use, at most 8. */
  readonly threads?: number
  /** How matrices are stored. */
  readonly weights: Weights
  /** Windows of speech that may wait for the model; requests that need more are refused as overloaded. */
  readonly queue: number
}

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    threads: {
      type: 'integer',
      minimum: 1,
      maximum: 1024,
      description: 'Default: the cores that the process may use, at most 8.',
    },
    weights: {
      enum: ['int8', 'float32'],
      default: 'int8',
      description: 'How matrices are stored: 8 bits need a third of the memory, and were as exact.',
    },
    queue: {
      type: 'integer',
      minimum: 0,
      default: 64,
      description: 'Requests that may wait for the model; more are refused as overloaded.',
    },
  },
}

const optional = (...names: string[]) => ({ names, optional: true })

/** The files of a model in repositories and folders. */
export const wantedFiles: RequiredFiles = {
  model: { names: ['model.bin', 'ggml-model.bin'] },
  'vocabulary.txt': optional('vocabulary.txt', 'vocabulary.json'),
  'config.json': optional('config.json'),
  'tokenizer.json': optional('tokenizer.json'),
  vad: optional('silero_vad.onnx'),
  speakers: optional('speakers.onnx', 'pretrained.pt'),
  segmentation: optional('segmentation.onnx'),
}
