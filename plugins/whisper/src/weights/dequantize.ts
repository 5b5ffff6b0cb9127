import { fromFloat16 } from '@sallyport/kit/numbers'

/** Values of a ggml block, which share a scale. */
const blockSize = 32

interface BlockType {
  /** Values per block. */
  readonly count: number
  /** Bytes per block. */
  readonly bytes: number
  readonly read: (data: Buffer) => Float32Array
}

/** The optional fields of a block after its scale, in this order. */
interface BlockLayout {
  /** The minimum, in half precision; without it, quants are centred on 0. */
  readonly hasMinimum: boolean
  /** The fifth bits, one of each quant, in four bytes. */
  readonly hasFifthBits: boolean
}

/** Reads the low and then the high 4 bits of 16 bytes, as `dequantize_row_*` in ggml-quants.c does. */
const packed = ({ hasMinimum, hasFifthBits }: BlockLayout): BlockType => {
  const high = hasMinimum ? 4 : 2
  const low = high + (hasFifthBits ? 4 : 0)
  const middle = hasFifthBits ? 16 : 8
  return blocks(low + blockSize / 2, (data, index) => {
    const byte = data[low + (index % (blockSize / 2))] ?? 0
    const fifth = hasFifthBits ? ((data.readUInt32LE(high) >>> index) & 1) << 4 : 0
    const quant = (index < blockSize / 2 ? byte & 15 : byte >> 4) | fifth
    return hasMinimum ? quant * half(data, 0) + half(data, 2) : (quant - middle) * half(data, 0)
  })
}

const blocks = (bytes: number, valueAt: (block: Buffer, index: number) => number): BlockType => ({
  count: blockSize,
  bytes,
  read: (data) => {
    const values = new Float32Array((data.length / bytes) * blockSize)
    for (let at = 0, to = 0; at < data.length; at += bytes, to += blockSize) {
      const block = data.subarray(at, at + bytes)
      for (let index = 0; index < blockSize; index += 1) values[to + index] = valueAt(block, index)
    }
    return values
  },
})

/** All half-precision numbers by their bits, because the scale is read for each value. */
let halves: Float32Array | undefined
const half = (data: Buffer, at: number): number => {
  halves ??= fromFloat16(Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits))
  return halves[data.readUInt16LE(at)] ?? 0
}

const floats = (data: Buffer) => new Float32Array(data.buffer, data.byteOffset, data.length / 4)
const float16 = (data: Buffer) => fromFloat16(new Uint16Array(data.buffer, data.byteOffset, data.length / 2))

/** Types of tensors by ggml's ids for them. */
export const ggmlTypes: ReadonlyMap<number, BlockType> = new Map([
  [0, { count: 1, bytes: 4, read: floats }],
  [1, { count: 1, bytes: 2, read: float16 }],
  [2, packed({ hasMinimum: false, hasFifthBits: false })], // q4_0
  [3, packed({ hasMinimum: true, hasFifthBits: false })], // q4_1
  [6, packed({ hasMinimum: false, hasFifthBits: true })], // q5_0
  [7, packed({ hasMinimum: true, hasFifthBits: true })], // q5_1
  [8, blocks(2 + blockSize, (data, index) => data.readInt8(2 + index) * half(data, 0))], // q8_0
])
