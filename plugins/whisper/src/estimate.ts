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

/** The files of the model itself. @throws model_files */
export const modelFiles = ({ id, files }: ModelSpec): ModelFiles => {
  const { model, 'vocabulary.txt': vocabulary, 'config.json': config } = files
  if (model === undefined) throw failure('model_files', { model: id, problem: 'it has no file with the name "model"' })
  return { model, vocabulary, config }
}

/** Estimates the memory of a model in bytes. */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => Promise.resolve(memoryOf(spec))

/** The maximum number of bytes of the process; only hostile files need more. Decoded audio takes about 50 MB. */
export const maxMemory = (spec: ModelSpec): number => {
  const { weights, cache, compute } = memoryOf(spec)
  return 2 * (weights + cache + compute) + 1024 * megabyte
}

const memoryOf = (spec: ModelSpec): MemoryEstimate => {
  const { weights } = spec.options as WhisperOptions
  const { speakers, segmentation } = spec.files
  const compute = processBytes + (speakers === undefined ? 0 : speakersBytes)
  const others = sizeOf(speakers) + sizeOf(segmentation)
  const files = modelFiles(spec)
  const checkpoint = tryReadCheckpoint(files)
  // a file that cannot be read is refused when the model is loaded
  if (!checkpoint) return { weights: sizeOf(files.model) + others, cache: 0, compute }
  const modelBytes = bytesPerParameter[weights] * parametersOf(checkpoint)
  return { weights: modelBytes + others, cache: cacheBytes(checkpoint), compute }
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
