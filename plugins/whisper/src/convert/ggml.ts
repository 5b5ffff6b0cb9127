import type { StoredTensor } from './ctranslate2.js'
import { toFloat16 } from '@sallyport/core'
import { melBins, melFilters } from './mel-filters.js'
import { quantizeQ8 } from './quantize.js'
import { FormatError } from './reader.js'
import { whisperTensors } from './tensors.js'
import type { NamedTensor } from './tensors.js'

/** The first four bytes of a file that whisper.cpp reads. */
export const ggmlMagic = 0x67676d6c

/** How matrices are stored. */
export type Weights = 'f16' | 'q8_0'

/** Numbers of ggml for the types of tensors, and for what a file is mostly made of (in the version of its blocks). */
const tensorTypes = { f32: 0, f16: 1, q8_0: 8 } as const
const fileTypes = { f16: 1, q8_0: 2007 } as const

/** The parts of a file for whisper.cpp, in order. @throws FormatError */
export function* ggmlFile(
  stored: ReadonlyMap<string, StoredTensor>,
  vocabulary: readonly Buffer[],
  weights: Weights,
): Generator<Buffer> {
  const shape = modelShape(stored)
  yield integers(ggmlMagic, ...hyperparameters(shape), fileTypes[weights])
  yield integers(shape.mels, melBins)
  yield bytes(melFilters(shape.mels))
  yield integers(vocabulary.length)
  for (const token of vocabulary) yield Buffer.concat([integers(token.length), token])
  const layers = { encoder: shape.encoderLayers, decoder: shape.decoderLayers }
  for (const tensor of whisperTensors(stored, layers)) yield* tensorParts(tensor, weights)
}

const hyperparameters = (shape: ReturnType<typeof modelShape>) => [
  shape.vocabulary,
  shape.frames,
  shape.width,
  shape.encoderHeads,
  shape.encoderLayers,
  shape.tokens,
  shape.width,
  shape.decoderHeads,
  shape.decoderLayers,
  shape.mels,
]

const modelShape = (stored: ReadonlyMap<string, StoredTensor>) => {
  const size = (name: string, axis: number) => stored.get(name)?.shape[axis] ?? missing(name)
  const layersOf = (part: string) => {
    let count = 0
    while (stored.has(`${part}/layer_${count}/ffn/linear_0/weight`)) count += 1
    return count
  }
  const width = size('encoder/conv1/weight', 0)
  if (size('decoder/embeddings/weight', 1) !== width) throw new FormatError('encoder and decoder differ in width')
  return {
    width,
    mels: size('encoder/conv1/weight', 1),
    frames: size('encoder/position_encodings/encodings', 0),
    tokens: size('decoder/position_encodings/encodings', 0),
    vocabulary: size('decoder/embeddings/weight', 0),
    encoderLayers: layersOf('encoder'),
    decoderLayers: layersOf('decoder'),
    encoderHeads: scalar(stored, 'encoder/num_heads'),
    decoderHeads: scalar(stored, 'decoder/num_heads'),
  }
}

const missing = (name: string): never => {
  throw new FormatError(`the file has no tensor ${name}`)
}

const scalar = (stored: ReadonlyMap<string, StoredTensor>, name: string): number => {
  const tensor = stored.get(name) ?? missing(name)
  return tensor.data.readIntLE(0, tensor.data.length)
}

function* tensorParts({ name, shape, values }: NamedTensor, weights: Weights): Generator<Buffer> {
  const type = typeOf(name, shape, weights)
  const dimensions = shape.toReversed()
  yield integers(shape.length, Buffer.byteLength(name), tensorTypes[type], ...dimensions)
  yield Buffer.from(name)
  const numbers = values()
  yield type === 'q8_0' ? quantizeQ8(numbers) : bytes(type === 'f16' ? toFloat16(numbers) : numbers)
}

/** As whisper.cpp's own converter and quantizer choose. */
const typeOf = (name: string, shape: readonly number[], weights: Weights): keyof typeof tensorTypes => {
  if (shape.length < 2 || name.endsWith('.bias') || name.endsWith('positional_embedding')) return 'f32'
  return shape.length === 2 ? weights : 'f16'
}

const integers = (...values: number[]): Buffer => bytes(Int32Array.from(values))

const bytes = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
