import { GgufError } from './file-window.js'
import type { FileWindow } from './file-window.js'

const maxKeyBytes = 65_535
const maxStringBytes = 16 * 1024 * 1024
/** Longer arrays of numbers are skipped, as all arrays of strings are: only values per layer are of interest. */
const maxArrayLength = 4096

/** A metadata value. Of arrays that were skipped only the length is known. */
export type MetadataValue = string | number | bigint | boolean | { readonly length: number; readonly values?: number[] }

export type Metadata = ReadonlyMap<string, MetadataValue>

type Scalar = (file: FileWindow) => string | number | bigint | boolean

/** Value types by id (gguf.h). */
const scalars: Readonly<Record<number, { read: Scalar; bytes: number }>> = {
  0: { read: (file) => file.u8(), bytes: 1 },
  1: { read: (file) => file.i8(), bytes: 1 },
  2: { read: (file) => file.u16(), bytes: 2 },
  3: { read: (file) => file.i16(), bytes: 2 },
  4: { read: (file) => file.u32(), bytes: 4 },
  5: { read: (file) => file.i32(), bytes: 4 },
  6: { read: (file) => file.f32(), bytes: 4 },
  7: { read: (file) => readBoolean(file), bytes: 1 },
  10: { read: (file) => file.u64(), bytes: 8 },
  11: { read: (file) => file.i64(), bytes: 8 },
  12: { read: (file) => file.f64(), bytes: 8 },
}
const stringType = 8
const arrayType = 9

/** The number at a key; undefined where there is none. */
export const numberAt = (metadata: Metadata, key: string): number | undefined => {
  const value = metadata.get(key)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

/** Reads `count` key-value pairs. @throws GgufError */
export const readMetadata = (file: FileWindow, count: number): Metadata => {
  const metadata = new Map<string, MetadataValue>()
  for (let index = 0; index < count; index += 1) {
    const key = readString(file, maxKeyBytes)
    // llama.cpp aborts the process on an empty key
    if (key === '') throw new GgufError(`metadata key ${index} is empty`)
    if (metadata.has(key)) throw new GgufError('a metadata key occurs twice')
    metadata.set(key, readValue(file))
  }
  return metadata
}

/** A string: its length in 8 bytes, and its bytes in UTF-8. */
export const readString = (file: FileWindow, maxBytes: number): string =>
  file.take(readLength(file, maxBytes)).toString('utf8')

const readLength = (file: FileWindow, maxBytes: number): number => {
  const length = file.u64()
  if (length > BigInt(maxBytes)) throw new GgufError(`a string has ${length} bytes; at most ${maxBytes} are allowed`)
  return Number(length)
}

const readValue = (file: FileWindow): MetadataValue => {
  const type = file.u32()
  if (type === stringType) return readString(file, maxStringBytes)
  if (type === arrayType) return readArray(file)
  const scalar = scalars[type]
  if (!scalar) throw new GgufError(`a metadata value has the unknown type ${type}`)
  return scalar.read(file)
}

const readBoolean = (file: FileWindow): boolean => {
  const value = file.u8()
  if (value > 1) throw new GgufError(`a boolean has the value ${value}`)
  return value === 1
}

const readArray = (file: FileWindow): MetadataValue => {
  const type = file.u32()
  const length = file.u64()
  const scalar = scalars[type]
  if (!scalar && type !== stringType) throw new GgufError(`an array has elements of the unknown type ${type}`)
  const elementBytes = scalar?.bytes ?? 8
  if (length > BigInt(Math.floor(file.remaining / elementBytes)))
    throw new GgufError(`an array claims ${length} elements, more than the file can hold`)
  const count = Number(length)
  if (!scalar) return skipStrings(file, count)
  if (count <= maxArrayLength)
    return { length: count, values: Array.from({ length: count }, () => Number(scalar.read(file))) }
  file.skip(count * scalar.bytes)
  return { length: count }
}

const skipStrings = (file: FileWindow, count: number): MetadataValue => {
  for (let index = 0; index < count; index += 1) file.skip(readLength(file, maxStringBytes))
  return { length: count }
}
