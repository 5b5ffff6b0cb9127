import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCheckpoint } from '../weights/index.js'
import type { ModelFiles, Checkpoint, ModelDimensions } from '../weights/index.js'
import { decoderGraph } from './decoder.js'
import { encoderGraph } from './encoder.js'
import { int8, int8WithActivations } from './int8.js'
import { float32 } from './matrix-format.js'
import { WeightsFile, WhisperGraphBuilder } from './whisper-graph-builder.js'

const matrixFormats = {
  float32: { encoder: float32, decoder: float32 },
  int8: { encoder: int8, decoder: int8WithActivations },
} as const

/** The precision in which matrices are stored. */
export type Precision = keyof typeof matrixFormats

/** The version of the conversion; it must be raised when older conversions can no longer be used. */
const version = 3

/** A model as onnxruntime runs it. */
export interface ConvertedModel {
  /** Paths of the graphs. */
  readonly encoderPath: string
  readonly decoderPath: string
  readonly dimensions: ModelDimensions
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
  precision: Precision,
  directory: string,
  onConvert: () => void,
): ConvertedModel => {
  const checkpoint = readCheckpoint(files)
  const folder = join(directory, keyOf(files, precision))
  if (!existsSync(folder)) {
    onConvert()
    writeAtomically(folder, (part) => writeGraphs(part, checkpoint, precision))
  }
  const { dimensions, vocabulary } = checkpoint
  return {
    encoderPath: join(folder, fileNames.encoder),
    decoderPath: join(folder, fileNames.decoder),
    dimensions,
    vocabulary,
  }
}

const fileNames = { encoder: 'encoder.onnx', decoder: 'decoder.onnx', weights: 'weights' } as const

const writeGraphs = (folder: string, checkpoint: Checkpoint, precision: Precision): void => {
  const descriptor = openSync(join(folder, fileNames.weights), 'w')
  try {
    const file = new WeightsFile(descriptor, fileNames.weights)
    const { encoder, decoder } = matrixFormats[precision]
    writeFileSync(join(folder, fileNames.encoder), encoderGraph(new WhisperGraphBuilder(checkpoint, file, encoder)))
    writeFileSync(join(folder, fileNames.decoder), decoderGraph(new WhisperGraphBuilder(checkpoint, file, decoder)))
  } finally {
    closeSync(descriptor)
  }
}

/** A key of the model's files by path, size, time and inode, so that they need not be read. */
const keyOf = ({ model, config }: ModelFiles, precision: Precision): string => {
  const files = [model, config].map((path) => {
    if (path === undefined) return undefined
    const { size, mtimeMs, ino } = statSync(path)
    return [path, size, mtimeMs, ino]
  })
  return createHash('sha256')
    .update(JSON.stringify([version, precision, ...files]))
    .digest('hex')
}

/** Writes a folder atomically: other processes may write the same one. */
const writeAtomically = (folder: string, write: (part: string) => void): void => {
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
