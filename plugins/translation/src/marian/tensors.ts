import type { Tensor } from '@sallyport/core'

const bytesOf = (data: Float32Array | BigInt64Array): Uint8Array =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

type Rows = readonly (readonly number[])[]

/** Rows of integers; shorter rows are padded at the end. */
export const paddedRows = (rows: Rows, padding: number): Tensor => {
  const width = rows.reduce((max, { length }) => Math.max(max, length), 0)
  const data = new BigInt64Array(rows.length * width).fill(BigInt(padding))
  for (const [row, values] of rows.entries())
    for (const [column, value] of values.entries()) data[row * width + column] = BigInt(value)
  return { type: 'INT64', shape: [rows.length, width], data: bytesOf(data) }
}

/** The attention mask of rows: 1 for their numbers, 0 for padding. */
export const maskOf = (rows: Rows): Tensor => {
  const ones = rows.map((row) => row.map(() => 1))
  return paddedRows(ones, 0)
}

/** A tensor without elements. */
export const emptyFloats = (shape: number[]): Tensor => ({ type: 'FP32', shape, data: new Uint8Array(0) })

export const booleanTensor = (value: boolean): Tensor => ({ type: 'BOOL', shape: [1], data: Uint8Array.of(+value) })

/** Selects rows of the first axis, in any order and number. */
export const gatherRows = ({ type, shape, data }: Tensor, rows: readonly number[]): Tensor => {
  const size = (shape[0] ?? 0) === 0 ? 0 : data.byteLength / (shape[0] ?? 1)
  const result = new Uint8Array(rows.length * size)
  for (const [place, row] of rows.entries()) result.set(data.subarray(row * size, (row + 1) * size), place * size)
  return { type, shape: [rows.length, ...shape.slice(1)], data: result }
}

/** The last position of each row of a tensor [rows, positions, width]. */
export const lastPositions = ({ shape, data }: Tensor): Float32Array[] => {
  const [rows = 0, positions = 0, width = 0] = shape
  const aligned = data.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? data : data.slice()
  const values = new Float32Array(aligned.buffer, aligned.byteOffset, rows * positions * width)
  return Array.from({ length: rows }, (_, row) => {
    const end = (row + 1) * positions * width
    return values.subarray(end - width, end)
  })
}
