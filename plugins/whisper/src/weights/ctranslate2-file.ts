import { FormatError } from '@sallyport/weights'
import type { FileReader } from './reader.js'

/** A tensor of the file: row-major, little-endian. */
export interface StoredTensor {
  readonly shape: readonly number[]
  readonly type: ElementType
  readonly data: () => Buffer
}

export type StoredTensors = ReadonlyMap<string, StoredTensor>

type ElementType = 'float32' | 'float16' | 'int8' | 'int16' | 'int32'

/** Types and their sizes in bytes; the index is the type's id in the file. */
const types: readonly (readonly [ElementType, number])[] = [
  ['float32', 4],
  ['int8', 1],
  ['int16', 2],
  ['int32', 4],
  ['float16', 2],
]

const limits = { tensors: 10_000, name: 1000, rank: 8 }

/** Versions of the format that CTranslate2 has written since its first release with Whisper. */
const versions = { oldest: 3, newest: 6 }

/**
 * The tensors of a `model.bin` of CTranslate2, by their names there.
 * @throws FormatError for other files, and for other models than Whisper
 */
export const readCTranslate2File = (reader: FileReader): Map<string, StoredTensor> => {
  const version = reader.uint32()
  if (version < versions.oldest || version > versions.newest) throw notCTranslate2()
  if (name(reader) !== 'WhisperSpec') throw new FormatError('the file is not a Whisper model of CTranslate2')
  // the revision of the specification
  reader.uint32()
  const count = reader.uint32()
  if (count > limits.tensors) throw notCTranslate2()
  const tensors = new Map<string, StoredTensor>()
  for (let index = 0; index < count; index += 1) tensors.set(name(reader), tensor(reader))
  return tensors
}

const notCTranslate2 = () => new FormatError('the file is not a CTranslate2 model')

/** Strings are stored with a NUL at their end, which the length counts. */
const name = (reader: FileReader): string => {
  const length = reader.uint16()
  if (length > limits.name) throw notCTranslate2()
  return reader.bytes(length).toString('latin1').replace(/\0$/, '')
}

const tensor = (reader: FileReader): StoredTensor => {
  const rank = reader.uint8()
  if (rank > limits.rank) throw notCTranslate2()
  const shape = Array.from({ length: rank }, () => reader.uint32())
  const [type, width] = types[reader.uint8()] ?? []
  if (type === undefined || width === undefined) throw new FormatError('the file has a tensor of an unknown type')
  const bytes = reader.uint32()
  if (shape.reduce((product, size) => product * size, width) !== bytes)
    throw new FormatError('the file declares a tensor whose shape does not fit its data')
  return { shape, type, data: reader.deferred(bytes) }
}
