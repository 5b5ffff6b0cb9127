import { statSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { MemoryEstimate, ModelSpec } from '@sallyport/core'
import { FormatError } from '@sallyport/weights'
import type { WhisperOptions } from './options.js'
import { readCheckpoint } from './weights/index.js'
import type { ModelFiles, Checkpoint } from './weights/index.js'

const megabyte = 2 ** 20
/** Memory of a process with Node.js, onnxruntime, audio decoders and intermediate tensors. */
const processBytes = 270 * megabyte
/** Memory per parameter, including the copies that onnxruntime packs for its kernels. */
const bytesPerParameter = { int8: 2, float32: 6 } as const
/** Memory of diarization, beside its weights. */
const speakersBytes = 110 * megabyte

/** The file of the weights. @throws model_files */
const modelFile = ({ id, files }: ModelSpec): string => {
  const path = files['model']
  if (path === undefined) throw failure('model_files', { model: id, problem: 'it has no file with the name "model"' })
  return path
}

/** The files that a model is made of. @throws model_files */
export const modelFiles = (spec: ModelSpec): ModelFiles => ({
  model: modelFile(spec),
  vocabulary: spec.files['vocabulary.txt'],
  config: spec.files['config.json'],
})

/** Estimates the memory of a model in bytes. */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => Promise.resolve(memoryOf(spec))

/** Memory for audio decoding, whose blocks take at most about 50 MB. */
const decodingBytes = 2 ** 30

/** The maximum number of bytes of the process; only hostile files need more. */
export const maxMemory = (spec: ModelSpec): number => {
  const { weights, cache, compute } = memoryOf(spec)
  return 2 * (weights + cache + compute) + decodingBytes
}

const memoryOf = (spec: ModelSpec): MemoryEstimate => {
  const { weights } = spec.options as WhisperOptions
  const { speakers, segmentation } = spec.files
  const compute = processBytes + (speakers === undefined ? 0 : speakersBytes)
  const others = sizeOf(speakers) + sizeOf(segmentation)
  const checkpoint = tryReadCheckpoint(modelFiles(spec))
  // a file that cannot be read is refused when the model is loaded
  if (!checkpoint) return { weights: sizeOf(modelFile(spec)) + others, cache: 0, compute }
  return {
    weights: bytesPerParameter[weights] * parametersOf(checkpoint) + others,
    cache: cacheBytes(checkpoint),
    compute,
  }
}

const sizeOf = (path: string | undefined) => (path === undefined ? 0 : statSync(path).size)

const tryReadCheckpoint = (files: ModelFiles): Checkpoint | undefined => {
  try {
    return readCheckpoint(files)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

const parametersOf = ({ tensors }: Checkpoint): number =>
  [...tensors.values()].reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0)

/** Cross-attention keys and values of a window for each layer of the decoder, twice, because they are copied. */
const cacheBytes = ({ dimensions: { positions, hiddenSize, decoder } }: Checkpoint): number =>
  2 * 2 * 4 * positions * hiddenSize * decoder.layers
