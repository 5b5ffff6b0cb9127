import { fromFloat16 } from '@sallyport/kit/numbers'

/** Numbers of a block of ggml, which share a scale. */
const size = 32

interface ElementType {
  /** Numbers that are stored together. */
  readonly count: number
  /** Bytes that they take. */
  readonly bytes: number
  readonly read: (data: Buffer) => Float32Array
}

const block = (bytes: number, readBlock: (block: Buffer, values: Float32Array) => void): ElementType => ({
  count: size,
  bytes,
  read: (data) => {
    const values = new Float32Array((data.length / bytes) * size)
    for (let at = 0, to = 0; at < data.length; at += bytes, to += size)
      readBlock(data.subarray(at, at + bytes), values.subarray(to, to + size))
    return values
  },
})

const half = (data: Buffer, at: number): number => fromFloat16(Uint16Array.of(data.readUInt16LE(at)))[0] ?? 0

/** Low and high 4 bits of the bytes from `at` on: the first and the second half of the block. */
const nibble = (data: Buffer, at: number, index: number): number => {
  const byte = data[at + (index % (size / 2))] ?? 0
  return index < size / 2 ? byte & 15 : byte >> 4
}

/** The fifth bits, one of each number, in four bytes. */
const fifthBit = (data: Buffer, at: number, index: number): number => ((data.readUInt32LE(at) >>> index) & 1) << 4

const fill = (values: Float32Array, valueAt: (index: number) => number) => {
  for (let index = 0; index < size; index += 1) values[index] = valueAt(index)
}

/** By ggml's numbers for them; blocks as `dequantize_row_*` in ggml-quants.c reads them. */
export const elementTypes: ReadonlyMap<number, ElementType> = new Map([
  [0, { count: 1, bytes: 4, read: (data) => new Float32Array(data.buffer, data.byteOffset, data.length / 4) }],
  [
    1,
    { count: 1, bytes: 2, read: (data) => fromFloat16(new Uint16Array(data.buffer, data.byteOffset, data.length / 2)) },
  ],
  [
    2, // q4_0
    block(18, (data, values) => {
      const scale = half(data, 0)
      fill(values, (index) => (nibble(data, 2, index) - 8) * scale)
    }),
  ],
  [
    3, // q4_1
    block(20, (data, values) => {
      const [scale, least] = [half(data, 0), half(data, 2)]
      fill(values, (index) => nibble(data, 4, index) * scale + least)
    }),
  ],
  [
    6, // q5_0
    block(22, (data, values) => {
      const scale = half(data, 0)
      fill(values, (index) => ((nibble(data, 6, index) | fifthBit(data, 2, index)) - 16) * scale)
    }),
  ],
  [
    7, // q5_1
    block(24, (data, values) => {
      const [scale, least] = [half(data, 0), half(data, 2)]
      fill(values, (index) => (nibble(data, 8, index) | fifthBit(data, 4, index)) * scale + least)
    }),
  ],
  [
    8, // q8_0
    block(34, (data, values) => {
      const scale = half(data, 0)
      fill(values, (index) => data.readInt8(2 + index) * scale)
    }),
  ],
])
