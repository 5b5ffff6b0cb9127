import type { Tensor, TensorType } from '@sallyport/core'
import { fromFloat16, normalised } from '@sallyport/kit/numbers'

export interface FloatTensor {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

/**
 * Makes the rows of a batch's texts from an output of the model.
 * @param lengths the tokens of each text, without padding
 */
export type ReadRows = (output: FloatTensor, lengths: readonly number[]) => Float32Array[]

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last' | 'max'

/** Rows of an output [batch, values]. */
export const wholeRows: ReadRows = ({ data, shape }, lengths) => {
  const rowLength = shape.slice(1).reduce((product, size) => product * size, 1)
  return lengths.map((_, row) => data.slice(row * rowLength, (row + 1) * rowLength))
}

/** Rows of an output [batch, sequence, values]: all values of the text's own tokens. */
export const tokenRows: ReadRows = ({ data, shape }, lengths) => {
  const [, tokens = 0, rowLength = 0] = shape
  return lengths.map((length, row) => data.slice(row * tokens * rowLength, (row * tokens + length) * rowLength))
}

/** One vector per text of an output [batch, sequence, values]. */
export const pooledRows =
  (pooling: Pooling): ReadRows =>
  (output, lengths) =>
    tokenRows(output, lengths).map((vectors) => pool(vectors, output.shape[2] ?? 0, pooling))

/** The rows that `read` makes, scaled to unit length. */
export const unitRows =
  (read: ReadRows): ReadRows =>
  (output, lengths) =>
    read(output, lengths).map(normalised)

const pool = (vectors: Float32Array, dimensions: number, pooling: Pooling): Float32Array => {
  if (pooling === 'cls') return vectors.slice(0, dimensions)
  if (pooling === 'last') return vectors.slice(-dimensions)
  return pooling === 'mean' ? mean(vectors, dimensions) : maximum(vectors, dimensions)
}

const mean = (vectors: Float32Array, dimensions: number): Float32Array => {
  // Summed in double precision: in single precision, a sum over hundreds of tokens would lose digits.
  const sums = new Float64Array(dimensions)
  for (let start = 0; start < vectors.length; start += dimensions)
    for (let index = 0; index < dimensions; index += 1) sums[index] = (sums[index] ?? 0) + (vectors[start + index] ?? 0)
  return Float32Array.from(sums, (sum) => sum / (vectors.length / dimensions))
}

const maximum = (vectors: Float32Array, dimensions: number): Float32Array => {
  const best = vectors.slice(0, dimensions)
  for (let index = dimensions; index < vectors.length; index += 1)
    best[index % dimensions] = Math.max(best[index % dimensions] ?? 0, vectors[index] ?? 0)
  return best
}

/** Whether {@link toFloat32} reads tensors of this type. */
export const isFloat = (type: TensorType): boolean => type === 'FP32' || type === 'FP16' || type === 'FP64'

/** Converts the values to single precision. The result shares the memory of an FP32 tensor that is aligned. */
export const toFloat32 = ({ type, data }: Tensor): Float32Array => {
  const { buffer, byteOffset, byteLength } = aligned(data)
  switch (type) {
    case 'FP32':
      return new Float32Array(buffer, byteOffset, byteLength / 4)
    case 'FP16':
      return fromFloat16(new Uint16Array(buffer, byteOffset, byteLength / 2))
    case 'FP64':
      return Float32Array.from(new Float64Array(buffer, byteOffset, byteLength / 8))
    default:
      throw new TypeError(`${type} is not a floating-point type`)
  }
}

const aligned = (data: Uint8Array): Uint8Array => (data.byteOffset % 8 === 0 ? data : data.slice())

/** The bytes of a typed array, whose memory they share. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
