import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readNetwork } from '../weights/index.js'
import type { ModelFiles, Network, NetworkShape } from '../weights/index.js'
import { decoderGraph } from './decoder.js'
import { encoderGraph } from './encoder.js'
import { int8, int8ForSteps } from './int8.js'
import { float32 } from './matrices.js'
import { WeightsFile, WhisperGraph } from './whisper-graph.js'

/** How matrices are stored. */
export type Weights = 'float32' | 'int8'

const matrices = {
  float32: { encoder: float32, decoder: float32 },
  int8: { encoder: int8, decoder: int8ForSteps },
} as const

/** The version of the conversion; it must be raised when the same files would be converted differently. */
const version = 2

/** A model as onnxruntime runs it. */
export interface ConvertedModel {
  readonly encoder: string
  readonly decoder: string
  readonly shape: NetworkShape
  /** Bytes of each token before the special ones. */
  readonly vocabulary: readonly Buffer[]
}

/**
 * Converts a model once and keeps its graphs under `directory`.
 * @param onConvert called before a conversion, which takes seconds
 * @throws FormatError
 */
export const convertedModel = (
  files: ModelFiles,
  weights: Weights,
  directory: string,
  onConvert: () => void,
): ConvertedModel => {
  const network = readNetwork(files)
  const folder = join(directory, keyOf(files, weights))
  if (!existsSync(folder)) {
    onConvert()
    writeWhole(folder, (part) => writeGraphs(part, network, weights))
  }
  const { shape, vocabulary } = network
  return { encoder: join(folder, names.encoder), decoder: join(folder, names.decoder), shape, vocabulary }
}

const names = { encoder: 'encoder.onnx', decoder: 'decoder.onnx', weights: 'weights' } as const

const writeGraphs = (folder: string, network: Network, weights: Weights): void => {
  const descriptor = openSync(join(folder, names.weights), 'w')
  try {
    const file = new WeightsFile(descriptor, names.weights)
    const { shape, alignmentHeads } = network
    const { encoder, decoder } = matrices[weights]
    const encoderBuilder = new WhisperGraph(network, file, encoder)
    writeFileSync(join(folder, names.encoder), encoderGraph(encoderBuilder, shape))
    const decoderBuilder = new WhisperGraph(network, file, decoder)
    writeFileSync(join(folder, names.decoder), decoderGraph(decoderBuilder, shape, alignmentHeads))
  } finally {
    closeSync(descriptor)
  }
}

/** A key of the model's files by size, time and inode, so that they need not be read. */
const keyOf = ({ model, config }: ModelFiles, weights: Weights): string => {
  const files = [model, config].map((path) => {
    if (path === undefined) return undefined
    const { size, mtimeMs, ino } = statSync(path)
    return [path, size, mtimeMs, ino]
  })
  return createHash('sha256')
    .update(JSON.stringify([version, weights, ...files]))
    .digest('hex')
}

/** Writes a folder atomically, although other processes may write the same one. */
const writeWhole = (folder: string, write: (part: string) => void): void => {
  const part = `${folder}.${process.pid}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  try {
    write(part)
    renameSync(part, folder)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    // another process was faster
    if (!existsSync(folder)) throw error
  }
}
