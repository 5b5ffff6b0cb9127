import { statSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { MemoryEstimate, ModelSpec } from '@sallyport/core'

/** Of a process with Node.js, onnxruntime and the decoders of sound. */
const processBytes = 160 * 2 ** 20
/** What whisper.cpp takes beside the weights of its smallest model, and with each megabyte of them. */
const base = 140 * 2 ** 20
const share = 0.4

/** The file of the weights. @throws model_files */
export const modelFile = ({ id, files }: ModelSpec): string => {
  const path = files['model']
  if (path === undefined) throw failure('model_files', { model: id, problem: 'it has no file with the name "model"' })
  return path
}

/** What the model will need. Weights in float16 become a little more than half of that in 8 bits. */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => Promise.resolve(needOf(spec))

const needOf = (spec: ModelSpec) => {
  const { size } = statSync(modelFile(spec))
  return { weights: size, cache: 0, compute: processBytes + base + share * size }
}

/** Beside what the model needs, twice: for sound that is decoded, whose blocks have no more than some 50 MB. */
const decoding = 2 ** 30

/** Bytes that the process may take: nothing of it needs more, unless a file is made to have it do so. */
export const mostMemory = (spec: ModelSpec): number => {
  const { weights, compute } = needOf(spec)
  return 2 * (weights + compute) + decoding
}
