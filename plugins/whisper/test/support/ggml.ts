import { melFilters } from '../../src/graph/spectrum.js'
import type { Network } from '../../src/weights/index.js'

/** The model as whisper.cpp's file, in 32-bit floats. @param type the number that its tensors claim as theirs */
export const ggmlFile = ({ shape, vocabulary, tensors }: Network, type = 0): Buffer => {
  const { width, positions, encoder, decoder, tokens, mels } = shape
  const { heads, layers } = encoder
  return Buffer.concat([
    integers(0x67676d6c, shape.vocabulary, positions, width, heads, layers),
    integers(tokens, width, decoder.heads, decoder.layers, mels, 0, mels, 201),
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
