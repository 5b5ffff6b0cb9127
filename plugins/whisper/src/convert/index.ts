import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readCTranslate2 } from './ctranslate2.js'
import { ggmlFile, ggmlMagic } from './ggml.js'
import type { Weights } from './ggml.js'
import { FormatError } from './reader.js'
import { readVocabulary } from './vocabulary.js'

export { FormatError } from './reader.js'
export type { Weights } from './ggml.js'

export interface ModelFiles {
  /** ggml, or CTranslate2's `model.bin`. */
  readonly model: string
  /** Beside the latter. */
  readonly vocabulary: string | undefined
}

/** Of what is written: raised when the same file would become another one. */
const version = 1

/**
 * A file that whisper.cpp reads: the model's own, or one made of it, once, under `directory`.
 * @param onConvert told before the work of some seconds
 * @throws FormatError
 */
export const ggmlOf = (files: ModelFiles, weights: Weights, directory: string, onConvert: () => void): string => {
  if (firstInteger(files.model) === ggmlMagic) return files.model
  const path = join(directory, `${keyOf(files.model, weights)}.ggml`)
  if (existsSync(path)) return path
  if (files.vocabulary === undefined) throw new FormatError('its vocabulary.txt (or vocabulary.json) is missing')
  const tensors = readCTranslate2(files.model)
  const vocabulary = readVocabulary(files.vocabulary)
  onConvert()
  mkdirSync(directory, { recursive: true })
  writeWhole(path, ggmlFile(tensors, vocabulary, weights))
  return path
}

const firstInteger = (path: string): number => {
  const descriptor = openSync(path, 'r')
  try {
    const start = Buffer.alloc(4)
    readSync(descriptor, start, 0, 4, 0)
    return start.readUInt32LE()
  } finally {
    closeSync(descriptor)
  }
}

/** Which file it is made of, without reading all of that. */
const keyOf = (path: string, weights: Weights): string => {
  const { size, mtimeMs, ino } = statSync(path)
  return createHash('sha256')
    .update(JSON.stringify([version, weights, path, size, mtimeMs, ino]))
    .digest('hex')
}

/** Under its name there is the whole file or none, whoever else writes it at the same time. */
const writeWhole = (path: string, parts: Iterable<Buffer>): void => {
  const part = `${path}.${process.pid}.part`
  const descriptor = openSync(part, 'w')
  try {
    for (const bytes of parts) writeFileSync(descriptor, bytes)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  renameSync(part, path)
}
