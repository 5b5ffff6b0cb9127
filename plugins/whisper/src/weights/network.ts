import { FormatError } from '@sallyport/weights'

/** Numbers of a file, read when they are asked for. */
export interface StoredValues {
  readonly shape: readonly number[]
  readonly values: () => Float32Array
}

export interface NetworkShape {
  /** Numbers in each vector between layers: a multiple of 32, and of the numbers of heads. */
  readonly width: number
  /** Bands of the spectrogram. */
  readonly mels: number
  /** Vectors of the encoder for 30 seconds: one for two frames of the spectrogram. */
  readonly positions: number
  /** Longest text, with all that stands before it. */
  readonly tokens: number
  readonly vocabulary: number
  readonly encoder: { readonly layers: number; readonly heads: number }
  readonly decoder: { readonly layers: number; readonly heads: number }
}

/** A head of the decoder's attention to the sound that tells when a token is said. */
export interface AlignmentHead {
  readonly layer: number
  readonly head: number
}

/** A Whisper model, whatever file it came in. */
export interface Network {
  readonly shape: NetworkShape
  /** Tensors by the names of OpenAI's checkpoints. */
  readonly tensors: ReadonlyMap<string, StoredValues>
  /** Bytes of each token before the special ones. */
  readonly vocabulary: readonly Buffer[]
  readonly alignmentHeads: readonly AlignmentHead[]
}

/** The tensor, as flat numbers in row-major order. @throws FormatError where it is missing or has another size */
export const valuesOf = ({ tensors }: Network, name: string, ...shape: readonly number[]): Float32Array => {
  const stored = tensors.get(name)
  if (!stored) throw new FormatError(`the file has no tensor ${name}`)
  // biases of convolutions are columns in some files
  if (significant(stored.shape) !== significant(shape))
    throw new FormatError(`the tensor ${name} has the shape [${stored.shape.join()}] and not [${shape.join()}]`)
  return stored.values()
}

const significant = (shape: readonly number[]) => shape.filter((size) => size !== 1).join()

const limits = { width: 16_384, layers: 256, vocabulary: 1_000_000, positions: 100_000 }

/** @throws FormatError for sizes that no Whisper model has */
export const checkShape = ({ width, mels, positions, tokens, vocabulary, encoder, decoder }: NetworkShape): void => {
  const within = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  const fits =
    within(width, limits.width) &&
    width % 32 === 0 &&
    within(mels, limits.width) &&
    within(positions, limits.positions) &&
    within(tokens, limits.positions) &&
    within(vocabulary, limits.vocabulary) &&
    [encoder, decoder].every(({ layers, heads }) => within(layers, limits.layers) && heads > 0 && width % heads === 0)
  if (!fits) throw new FormatError('the sizes that the file names are not those of a Whisper model')
}

/** All heads of the upper half of the decoder, which OpenAI's program takes where a model names none. */
export const upperHeads = ({ decoder }: NetworkShape): AlignmentHead[] =>
  Array.from({ length: decoder.layers * decoder.heads }, (_, index) => ({
    layer: Math.floor(index / decoder.heads),
    head: index % decoder.heads,
  })).filter(({ layer }) => layer >= Math.floor(decoder.layers / 2))
