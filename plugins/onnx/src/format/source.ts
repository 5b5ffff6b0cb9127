import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes with random access. */
export interface ByteSource {
  readonly size: number
  /** At most `length` bytes; fewer at the end. */
  read(position: number, length: number): Uint8Array
}

export const sourceOfBytes = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: (position, length) => bytes.subarray(position, position + length),
})

/** Opens the file for as long as `use` runs. Reads are synchronous and block the event loop. */
export const withFileSource = <Result>(path: string, use: (source: ByteSource) => Result): Result => {
  const file = openSync(path, 'r')
  try {
    return use({
      size: fstatSync(file).size,
      read: (position, length) => {
        const buffer = new Uint8Array(length)
        return buffer.subarray(0, readSync(file, buffer, 0, length, position))
      },
    })
  } finally {
    closeSync(file)
  }
}
