import { FormatError } from '@sallyport/weights'

/** A tensor whose values are read from its file on demand. */
export interface StoredValues {
  readonly shape: readonly number[]
  readonly values: () => Float32Array
}

export interface ModelDimensions {
  /** A multiple of 32 and of the numbers of heads. */
  readonly hiddenSize: number
  /** Bands of the spectrogram. */
  readonly mels: number
  /** Positions of the encoder for 30 seconds: one for two frames of the spectrogram. */
  readonly positions: number
  /** The maximum number of tokens in the decoder. */
  readonly contextLength: number
  readonly vocabularySize: number
  readonly encoder: { readonly layers: number; readonly heads: number }
  readonly decoder: { readonly layers: number; readonly heads: number }
}

/** A cross-attention head of the decoder that attends to the time at which a token is spoken. */
export interface AlignmentHead {
  readonly layer: number
  readonly head: number
}

/** The weights of a Whisper model, independent of their file format. */
export interface Checkpoint {
  readonly dimensions: ModelDimensions
  /** Tensors by the names of OpenAI's checkpoints. */
  readonly tensors: ReadonlyMap<string, StoredValues>
  /** Bytes of each token before the special ones. */
  readonly vocabulary: readonly Buffer[]
  readonly alignmentHeads: readonly AlignmentHead[]
}

/** The values of a tensor in row-major order. @throws FormatError where it is missing or has another shape */
export const valuesOf = ({ tensors }: Checkpoint, name: string, ...shape: readonly number[]): Float32Array => {
  const stored = tensors.get(name)
  if (!stored) throw new FormatError(`the file has no tensor ${name}`)
  // in some files, biases of convolutions are columns
  if (significant(stored.shape) !== significant(shape))
    throw new FormatError(`the tensor ${name} has the shape [${stored.shape.join()}] and not [${shape.join()}]`)
  return stored.values()
}

const significant = (shape: readonly number[]) => shape.filter((size) => size !== 1).join()

const maxima = { hiddenSize: 16_384, mels: 16_384, positions: 100_000, contextLength: 100_000, vocabularySize: 1e6 }
const maxLayers = 256

/** @throws FormatError for sizes that no Whisper model has */
export const checkDimensions = (dimensions: ModelDimensions): void => {
  const { hiddenSize, encoder, decoder } = dimensions
  const within = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max
  const fits =
    Object.entries(maxima).every(([name, max]) => within(dimensions[name as keyof typeof maxima], max)) &&
    hiddenSize % 32 === 0 &&
    [encoder, decoder].every(({ layers, heads }) => within(layers, maxLayers) && heads > 0 && hiddenSize % heads === 0)
  if (!fits) throw new FormatError('the dimensions in the file are not those of a Whisper model')
}

/** All heads of the decoder's upper half, OpenAI's default for models whose alignment heads are not given. */
export const upperHeads = ({ decoder }: ModelDimensions): AlignmentHead[] =>
  Array.from({ length: decoder.layers * decoder.heads }, (_, index) => ({
    layer: Math.floor(index / decoder.heads),
    head: index % decoder.heads,
  })).filter(({ layer }) => layer >= Math.floor(decoder.layers / 2))
