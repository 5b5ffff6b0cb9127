import { melFilters } from '../../src/graph/spectrum.js'
import type { Checkpoint } from '../../src/weights/index.js'

/** The model as whisper.cpp's file, in 32-bit floats. @param type the number that its tensors claim as theirs */
export const ggmlFile = ({ dimensions, vocabulary, tensors }: Checkpoint, type = 0): Buffer => {
  const { hiddenSize, positions, encoder, decoder, contextLength, mels } = dimensions
  const { heads, layers } = encoder
  return Buffer.concat([
    integers(0x67676d6c, dimensions.vocabularySize, positions, hiddenSize, heads, layers),
    integers(contextLength, hiddenSize, decoder.heads, decoder.layers, mels, 0, mels, 201),
    bytesOf(melFilters(mels)),
    integers(vocabulary.length),
    ...vocabulary.flatMap((token) => [integers(token.length), token]),
    ...[...tensors].flatMap(([name, tensor]) => [
      integers(tensor.shape.length, name.length, type, ...tensor.shape.toReversed()),
      Buffer.from(name),
      bytesOf(tensor.values()),
    ]),
  ])
}

const integers = (...values: number[]): Buffer => bytesOf(Uint32Array.from(values))

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
