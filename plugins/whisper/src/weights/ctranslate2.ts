import { readFileSync } from 'node:fs'
import { FormatError } from '@sallyport/weights'
import { readCTranslate2File } from './ctranslate2-file.js'
import type { StoredTensor } from './ctranslate2-file.js'
import { checkShape, upperHeads } from './network.js'
import type { AlignmentHead, Network, NetworkShape } from './network.js'
import { whisperTensors } from './tensors.js'
import { readVocabulary } from './vocabulary.js'

export interface CTranslate2Files {
  /** `model.bin` */
  readonly model: string
  /** `vocabulary.txt` or `vocabulary.json` */
  readonly vocabulary: string | undefined
  /** `config.json` */
  readonly config: string | undefined
}

/** A model of CTranslate2 in float16 or float32. @throws FormatError */
export const readCTranslate2 = ({ model, vocabulary, config }: CTranslate2Files): Network => {
  const stored = readCTranslate2File(model)
  if (vocabulary === undefined) throw new FormatError('its vocabulary.txt (or vocabulary.json) is missing')
  const shape = shapeOf(stored)
  checkShape(shape)
  return {
    shape,
    tensors: whisperTensors(stored, { encoder: shape.encoder.layers, decoder: shape.decoder.layers }),
    vocabulary: readVocabulary(vocabulary),
    alignmentHeads: (config === undefined ? undefined : namedHeads(config, shape)) ?? upperHeads(shape),
  }
}

type Stored = ReadonlyMap<string, StoredTensor>

const shapeOf = (stored: Stored): NetworkShape => {
  const size = (name: string, axis: number) => stored.get(name)?.shape[axis] ?? missing(name)
  const width = size('encoder/conv1/weight', 0)
  if (size('decoder/embeddings/weight', 1) !== width) throw new FormatError('encoder and decoder differ in width')
  return {
    width,
    mels: size('encoder/conv1/weight', 1),
    positions: size('encoder/position_encodings/encodings', 0),
    tokens: size('decoder/position_encodings/encodings', 0),
    vocabulary: size('decoder/embeddings/weight', 0),
    encoder: { layers: layersOf(stored, 'encoder'), heads: integer(stored, 'encoder/num_heads') },
    decoder: { layers: layersOf(stored, 'decoder'), heads: integer(stored, 'decoder/num_heads') },
  }
}

const layersOf = (stored: Stored, part: string): number => {
  let count = 0
  while (stored.has(`${part}/layer_${count}/ffn/linear_0/weight`)) count += 1
  return count
}

const missing = (name: string): never => {
  throw new FormatError(`the file has no tensor ${name}`)
}

const integer = (stored: Stored, name: string): number => {
  const data = (stored.get(name) ?? missing(name)).data()
  return data.length >= 1 && data.length <= 4 ? data.readIntLE(0, data.length) : missing(name)
}

/**
 * The alignment heads that config.json names; undefined without any.
 * @throws FormatError for heads that the model lacks
 */
const namedHeads = (path: string, { decoder }: NetworkShape): AlignmentHead[] | undefined => {
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
    throw new FormatError('its config.json is no JSON', { cause })
  }
}
