import { FormatError } from '@sallyport/weights'

/** A tensor whose values are read from its file on demand. */
export interface StoredValues {
  readonly shape: readonly number[]
  readonly values: () => Float32Array
}

export interface NetworkShape {
  /** Hidden size: a multiple of 32 and of the numbers of heads. */
  readonly width: number
  /** Bands of the spectrogram. */
  readonly mels: number
  /** Positions of the encoder for 30 seconds: one for two frames of the spectrogram. */
  readonly positions: number
  /** The decoder's context length. */
  readonly tokens: number
  readonly vocabulary: number
  readonly encoder: { readonly layers: number; readonly heads: number }
  readonly decoder: { readonly layers: number; readonly heads: number }
}

/** A cross-attention head of the decoder that tells when a token is spoken. */
export interface AlignmentHead {
  readonly layer: number
  readonly head: number
}

/** A Whisper model, independent of its file format. */
export interface Network {
  readonly shape: NetworkShape
  /** Tensors by the names of OpenAI's checkpoints. */
  readonly tensors: ReadonlyMap<string, StoredValues>
  /** Bytes of each token before the special ones. */
  readonly vocabulary: readonly Buffer[]
  readonly alignmentHeads: readonly AlignmentHead[]
}

/** The values of a tensor in row-major order. @throws FormatError where it is missing or has another shape */
export const valuesOf = ({ tensors }: Network, name: string, ...shape: readonly number[]): Float32Array => {
  const stored = tensors.get(name)
  if (!stored) throw new FormatError(`the file has no tensor ${name}`)
  // in some files, biases of convolutions are columns
  if (significant(stored.shape) !== significant(shape))
    throw new FormatError(`the tensor ${name} has the shape [${stored.shape.join()}] and not [${shape.join()}]`)
  return stored.values()
}

const significant = (shape: readonly number[]) => shape.filter((size) => size !== 1).join()

const limits = { width: 16_384, layers: 256, vocabulary: 1_000_000, positions: 100_000 }

/** @throws FormatError for sizes that no Whisper model has */
export const checkShape = ({ width, mels, positions, tokens, vocabulary, encoder, decoder }: NetworkShape): void => {
  const within = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max
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

/** All heads of the decoder's upper half, OpenAI's default for models that name no alignment heads. */
export const upperHeads = ({ decoder }: NetworkShape): AlignmentHead[] =>
  Array.from({ length: decoder.layers * decoder.heads }, (_, index) => ({
    layer: Math.floor(index / decoder.heads),
    head: index % decoder.heads,
  })).filter(({ layer }) => layer >= Math.floor(decoder.layers / 2))
