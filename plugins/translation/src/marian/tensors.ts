import { maxOf } from '@sallyport/kit/lists'
import type { Tensor } from '@sallyport/core'

const bytesOf = (data: Float32Array | BigInt64Array): Uint8Array =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength)

/** Rows of whole numbers, those that are shorter filled up at the end. */
export const integerRows = (rows: readonly (readonly number[])[], fill: number): Tensor => {
  const width = maxOf(
    rows.map(({ length }) => length),
    0,
  )
  const data = new BigInt64Array(rows.length * width).fill(BigInt(fill))
  for (const [row, values] of rows.entries())
    for (const [column, value] of values.entries()) data[row * width + column] = BigInt(value)
  return { type: 'INT64', shape: [rows.length, width], data: bytesOf(data) }
}

/** 1 where a row of the same rows has a number, and 0 where it is filled up. */
export const maskOf = (rows: readonly (readonly number[])[]): Tensor =>
  integerRows(
    rows.map((row) => row.map(() => 1)),
    0,
  )

export const noFloats = (shape: readonly number[]): Tensor => ({
  type: 'FP32',
  shape: [...shape],
  data: new Uint8Array(0),
})

export const flag = (value: boolean): Tensor => ({ type: 'BOOL', shape: [1], data: Uint8Array.of(value ? 1 : 0) })

/** The rows (of the first axis) in another order, left out or taken several times. */
export const gathered = ({ type, shape, data }: Tensor, rows: readonly number[]): Tensor => {
  const size = (shape[0] ?? 0) === 0 ? 0 : data.byteLength / (shape[0] ?? 1)
  const result = new Uint8Array(rows.length * size)
  for (const [place, row] of rows.entries()) result.set(data.subarray(row * size, (row + 1) * size), place * size)
  return { type, shape: [rows.length, ...shape.slice(1)], data: result }
}

/** Of [rows, positions, width] the last position of each row. */
export const lastPositions = ({ shape, data }: Tensor): Float32Array[] => {
  const [rows = 0, positions = 0, width = 0] = shape
  const aligned = data.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? data : data.slice()
  const values = new Float32Array(aligned.buffer, aligned.byteOffset, rows * positions * width)
  return Array.from({ length: rows }, (_, row) => {
    const end = (row + 1) * positions * width
    return values.subarray(end - width, end)
  })
}
