import { readFileSync } from 'node:fs'
import { FormatError } from '@sallyport/weights'
import { readCTranslate2File } from './ctranslate2-file.js'
import type { StoredTensors } from './ctranslate2-file.js'
import { checkDimensions, upperHeads } from './checkpoint.js'
import type { AlignmentHead, Checkpoint, ModelDimensions } from './checkpoint.js'
import type { FileReader } from './reader.js'
import { whisperTensors } from './tensors.js'
import { readVocabulary } from './vocabulary.js'

/** The files of a model; a model of whisper.cpp is a single one. */
export interface ModelFiles {
  /** `model.bin`, or a ggml file */
  readonly model: string
  /** `vocabulary.txt` or `vocabulary.json` */
  readonly vocabulary: string | undefined
  /** `config.json` */
  readonly config: string | undefined
}

/** A model of CTranslate2 in float16 or float32. @throws FormatError */
export const readCTranslate2 = (reader: FileReader, { vocabulary, config }: ModelFiles): Checkpoint => {
  const stored = readCTranslate2File(reader)
  if (vocabulary === undefined) throw new FormatError('its vocabulary.txt (or vocabulary.json) is missing')
  const dimensions = dimensionsOf(stored)
  checkDimensions(dimensions)
  return {
    dimensions,
    tensors: whisperTensors(stored, dimensions),
    vocabulary: readVocabulary(vocabulary),
    alignmentHeads: (config === undefined ? undefined : namedHeads(config, dimensions)) ?? upperHeads(dimensions),
  }
}

const dimensionsOf = (stored: StoredTensors): ModelDimensions => {
  const size = (name: string, axis: number) => stored.get(name)?.shape[axis] ?? missing(name)
  const hiddenSize = size('encoder/conv1/weight', 0)
  if (size('decoder/embeddings/weight', 1) !== hiddenSize)
    throw new FormatError('encoder and decoder differ in hidden size')
  return {
    hiddenSize,
    mels: size('encoder/conv1/weight', 1),
    positions: size('encoder/position_encodings/encodings', 0),
    contextLength: size('decoder/position_encodings/encodings', 0),
    vocabularySize: size('decoder/embeddings/weight', 0),
    encoder: { layers: layersOf(stored, 'encoder'), heads: integer(stored, 'encoder/num_heads') },
    decoder: { layers: layersOf(stored, 'decoder'), heads: integer(stored, 'decoder/num_heads') },
  }
}

const layersOf = (stored: StoredTensors, part: string): number => {
  let count = 0
  while (stored.has(`${part}/layer_${count}/ffn/linear_0/weight`)) count += 1
  return count
}

const missing = (name: string): never => {
  throw new FormatError(`the file has no tensor ${name}`)
}

const integer = (stored: StoredTensors, name: string): number => {
  const data = (stored.get(name) ?? missing(name)).data()
  return data.length >= 1 && data.length <= 4 ? data.readIntLE(0, data.length) : missing(name)
}

/**
 * The alignment heads that config.json names; undefined without any.
 * @throws FormatError for heads that the model lacks
 */
const namedHeads = (path: string, { decoder }: ModelDimensions): AlignmentHead[] | undefined => {
  const heads = alignmentHeads(path)
  if (!Array.isArray(heads) || heads.length === 0) return undefined
  return heads.map((pair: unknown) => {
    const [layer, head] = Array.isArray(pair) ? (pair as unknown[]) : []
    if (below(layer, decoder.layers) && below(head, decoder.heads)) return { layer, head }
    throw new FormatError('its config.json names alignment heads that the model does not have')
  })
}

const below = (value: unknown, limit: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit

const alignmentHeads = (path: string): unknown => {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { alignment_heads?: unknown } | null)?.alignment_heads
  } catch (cause) {
    throw new FormatError('its config.json is not valid JSON', { cause })
  }
}
