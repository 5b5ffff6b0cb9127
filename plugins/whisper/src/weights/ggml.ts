import { FormatError } from '@sallyport/weights'
import { ggmlTypes } from './dequantize.js'
import { checkDimensions, upperHeads } from './checkpoint.js'
import type { Checkpoint, ModelDimensions, StoredValues } from './checkpoint.js'
import type { FileReader } from './reader.js'
import { withoutSpecial } from './vocabulary.js'

/** The first four bytes of whisper.cpp's files. */
export const ggmlMagic = 0x67676d6c

const limits = { vocabulary: 1_000_000, token: 1000, rank: 4, name: 1000, filters: 1_000_000 }

/**
 * Reads a file of whisper.cpp, with weights as floats or in blocks of 4, 5 or 8 bits.
 * @param reader after the magic number
 * @throws FormatError
 */
export const readGgml = (reader: FileReader): Checkpoint => {
  const dimensions = readDimensions(reader)
  skipFilters(reader)
  const vocabulary = withoutSpecial(readTokens(reader))
  const tensors = new Map<string, StoredValues>()
  while (!reader.atEnd) tensors.set(...readTensor(reader))
  return { dimensions, tensors, vocabulary, alignmentHeads: upperHeads(dimensions) }
}

const notGgml = () => new FormatError('the file is not a whisper.cpp model')

const readDimensions = (reader: FileReader): ModelDimensions => {
  const numbers = Array.from({ length: 11 }, () => reader.uint32())
  const [vocabularySize = 0, positions = 0, hiddenSize = 0, heads = 0, layers = 0, contextLength = 0] = numbers
  const [decoderHiddenSize, decoderHeads = 0, decoderLayers = 0, mels = 0] = numbers.slice(6)
  const dimensions = {
    hiddenSize,
    mels,
    positions,
    contextLength,
    vocabularySize,
    encoder: { layers, heads },
    decoder: { layers: decoderLayers, heads: decoderHeads },
  }
  checkDimensions(dimensions)
  if (decoderHiddenSize !== hiddenSize) throw new FormatError('encoder and decoder differ in hidden size')
  return dimensions
}

/** Skips the mel filters, which are always the same and computed here. */
const skipFilters = (reader: FileReader): void => {
  const count = reader.uint32() * reader.uint32()
  if (count > limits.filters) throw notGgml()
  reader.deferred(4 * count)
}

const readTokens = (reader: FileReader): Buffer[] => {
  const count = reader.uint32()
  if (count > limits.vocabulary) throw notGgml()
  return Array.from({ length: count }, () => {
    const length = reader.uint32()
    if (length > limits.token) throw notGgml()
    return reader.bytes(length)
  })
}

const readTensor = (reader: FileReader): [name: string, tensor: StoredValues] => {
  const [rank, nameLength, type] = [reader.uint32(), reader.uint32(), reader.uint32()]
  if (rank > limits.rank || nameLength > limits.name) throw notGgml()
  const shape = Array.from({ length: rank }, () => reader.uint32()).reverse()
  const name = reader.bytes(nameLength).toString('latin1')
  const blockType = ggmlTypes.get(type)
  if (!blockType)
    throw new FormatError(
      `${name} is stored in ggml's type ${type}; f32, f16, q4_0, q4_1, q5_0, q5_1 and q8_0 are supported`,
    )
  const { count, bytes, read } = blockType
  const blocks = shape.reduce((product, size) => product * size, 1) / count
  if (!Number.isInteger(blocks)) throw notGgml()
  const data = reader.deferred(blocks * bytes)
  return [name, { shape, values: () => read(data()) }]
}
