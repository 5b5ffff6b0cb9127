import type { Wanted } from '@sallyport/core'

const optional = (...names: string[]) => ({ names, optional: true })

/** Files of a model, as repositories and folders have them. */
export const wantedFiles: Wanted = {
  model: { names: ['model.bin', 'ggml-model.bin'] },
  'vocabulary.txt': optional('vocabulary.txt', 'vocabulary.json'),
  'config.json': optional('config.json'),
  'tokenizer.json': optional('tokenizer.json'),
  vad: optional('silero_vad.onnx'),
  speakers: optional('speakers.onnx', 'pretrained.pt'),
  segmentation: optional('segmentation.onnx'),
}
