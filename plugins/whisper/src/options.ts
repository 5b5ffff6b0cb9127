import type { OptionsOf, OptionsSchema, RequiredFiles } from '@sallyport/core'

/** Options of a model, under `models.<id>.options`. */
export const optionsSchema = {
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
      description:
        'The precision of matrices: int8 needs a third of the memory, and was as accurate in our benchmarks.',
    },
    queue: {
      type: 'integer',
      minimum: 0,
      default: 64,
      description: 'Requests that may wait for the model; further ones are refused as overloaded.',
    },
  },
} as const satisfies OptionsSchema

export type WhisperOptions = OptionsOf<typeof optionsSchema>

const optional = (...names: string[]) => ({ names, optional: true })

/** The files of a model in repositories and folders. */
export const requiredFiles: RequiredFiles = {
  model: { names: ['model.bin', 'ggml-model.bin'] },
  'vocabulary.txt': optional('vocabulary.txt', 'vocabulary.json'),
  'config.json': optional('config.json'),
  'tokenizer.json': optional('tokenizer.json'),
  vad: optional('silero_vad.onnx'),
  speakers: optional('speakers.onnx', 'pretrained.pt'),
  segmentation: optional('segmentation.onnx'),
}
