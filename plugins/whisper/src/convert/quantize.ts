import { toHalf } from '@sallyport/core'

/** Numbers of a block. */
const size = 32
/** Bytes of a block: a scale in half precision, then a signed byte for each number. */
const blockBytes = 2 + size

/** Blocks of 8 bits, as ggml's `quantize_row_q8_0_ref` makes them. The length must be a multiple of 32. */
export const quantizeQ8 = (values: Float32Array): Buffer => {
  const blocks = values.length / size
  const result = Buffer.alloc(blocks * blockBytes)
  const quantized = new Int8Array(result.buffer, result.byteOffset, result.length)
  for (let block = 0; block < blocks; block += 1) {
    const start = block * size
    let largest = 0
    for (let index = start; index < start + size; index += 1) largest = Math.max(largest, Math.abs(values[index] ?? 0))
    const scale = Math.fround(largest / 127)
    const inverse = scale ? Math.fround(1 / scale) : 0
    const at = block * blockBytes
    result.writeUInt16LE(toHalf(scale), at)
    for (let index = 0; index < size; index += 1)
      quantized[at + 2 + index] = roundAway(Math.fround((values[start + index] ?? 0) * inverse))
  }
  return result
}

/** As C's `roundf`: halves go away from zero. */
const roundAway = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))
