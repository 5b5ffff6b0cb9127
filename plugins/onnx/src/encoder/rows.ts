import type { Tensor, TensorType } from '@sallyport/core'
import { fromFloat16, normalised } from '@sallyport/kit/numbers'

export interface FloatTensor {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

/** Makes the rows of a batch's texts from an output of the model. @param lengths tokens of the texts, without padding */
export type ReadRows = (output: FloatTensor, lengths: readonly number[]) => Float32Array[]

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last' | 'max'

/** Rows of an output of [texts, values]. */
export const wholeRows: ReadRows = ({ data, shape }, lengths) => {
  const width = shape.slice(1).reduce((product, size) => product * size, 1)
  return lengths.map((_, row) => data.slice(row * width, (row + 1) * width))
}

/** Rows of an output of [texts, tokens, values]: all values of the text's own tokens. */
export const tokenRows: ReadRows = ({ data, shape }, lengths) => {
  const [, tokens = 0, width = 0] = shape
  return lengths.map((length, row) => data.slice(row * tokens * width, (row * tokens + length) * width))
}

/** One vector per text of an output of [texts, tokens, values]. */
export const pooledRows =
  (pooling: Pooling): ReadRows =>
  (output, lengths) => {
    const width = output.shape[2] ?? 0
    return tokenRows(output, lengths).map((vectors) => pool(vectors, width, pooling))
  }

/** The rows that `read` makes, scaled to unit length. */
export const unitRows =
  (read: ReadRows): ReadRows =>
  (output, lengths) =>
    read(output, lengths).map(normalised)

const pool = (vectors: Float32Array, width: number, pooling: Pooling): Float32Array => {
  if (pooling === 'cls') return vectors.slice(0, width)
  if (pooling === 'last') return vectors.slice(-width)
  return pooling === 'mean' ? mean(vectors, width) : maximum(vectors, width)
}

const mean = (vectors: Float32Array, width: number): Float32Array => {
  // The sum is in double precision, as one of hundreds of tokens loses digits in single precision.
  const sums = new Float64Array(width)
  for (let start = 0; start < vectors.length; start += width)
    for (let index = 0; index < width; index += 1) sums[index] = (sums[index] ?? 0) + (vectors[start + index] ?? 0)
  return Float32Array.from(sums, (sum) => sum / (vectors.length / width))
}

const maximum = (vectors: Float32Array, width: number): Float32Array => {
  const best = vectors.slice(0, width)
  for (let index = width; index < vectors.length; index += 1)
    best[index % width] = Math.max(best[index % width] ?? 0, vectors[index] ?? 0)
  return best
}

/** Whether {@link toFloat32} reads tensors of this type. */
export const isFloat = (type: TensorType): boolean => type === 'FP32' || type === 'FP16' || type === 'FP64'

/** The values in single precision. A tensor that is in single precision already shares its memory. */
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
      throw new TypeError(`${type} does not hold fractions`)
  }
}

const aligned = (data: Uint8Array): Uint8Array => (data.byteOffset % 8 === 0 ? data : data.slice())
