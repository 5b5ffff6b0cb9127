import { statSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { MemoryEstimate, ModelSpec } from '@sallyport/core'

/** Of a process with Node.js, onnxruntime and the decoders of sound. */
const processBytes = 160 * 2 ** 20
/** What whisper.cpp takes beside the weights of its smallest model, and with each megabyte of them. */
const base = 140 * 2 ** 20
const share = 0.4
/** What telling speakers apart takes beside the weights for that. */
const speakersBytes = 110 * 2 ** 20

/** The file of the weights. @throws model_files */
export const modelFile = ({ id, files }: ModelSpec): string => {
  const path = files['model']
  if (path === undefined) throw failure('model_files', { model: id, problem: 'it has no file with the name "model"' })
  return path
}

/** What the model will need. Weights in float16 become a little more than half of that in 8 bits. */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => {
  const { size } = statSync(modelFile(spec))
  const { speakers, segmentation } = spec.files
  const compute = processBytes + base + share * size + (speakers === undefined ? 0 : speakersBytes)
  return Promise.resolve({ weights: size + sizeOf(speakers) + sizeOf(segmentation), cache: 0, compute })
}

const sizeOf = (path: string | undefined) => (path === undefined ? 0 : statSync(path).size)
