/**
 * Reads and checks the header of a GGUF file (ggml/docs/gguf.md) before native code sees it: llama.cpp aborts its
 * process on some malformed files, and the binding's own reader never returns on others.
 */

import { FileWindow, GgufError } from './file-window.js'
import { readMetadata, readString } from './metadata.js'
import type { Metadata } from './metadata.js'
import { tensorTypes } from './tensor-types.js'

const magic = 0x46554747
const maxKeys = 65_536
const maxTensors = 1_000_000
const maxTensorNameBytes = 63
const maxDimensions = 4
const maxAlignment = 1 << 20

export interface GgufHeader {
  readonly metadata: Metadata
  readonly tensors: readonly GgufTensor[]
}

export interface GgufTensor {
  readonly name: string
  readonly bytes: number
  /** The number of weights. */
  readonly elements: number
}

interface TensorEntry extends GgufTensor {
  /** Bytes from the start of the data section. */
  readonly offset: bigint
}

/** @throws GgufError when the file is not GGUF, is damaged or truncated, or claims more than it holds */
export const readGgufHeader = (path: string): GgufHeader => {
  const file = new FileWindow(path)
  try {
    return readHeader(file)
  } finally {
    file.close()
  }
}

const readHeader = (file: FileWindow): GgufHeader => {
  if (file.size < 24) throw new GgufError('the file is too short for a GGUF file')
  if (file.u32() !== magic) throw new GgufError('the file does not begin like a GGUF file')
  const version = file.u32()
  if (version !== 2 && version !== 3) throw new GgufError(`GGUF version ${version} is not supported: use 2 or 3`)
  const tensorCount = readCount(file, 'tensors', maxTensors)
  const keyCount = readCount(file, 'metadata keys', maxKeys)
  const metadata = readMetadata(file, keyCount)
  const alignment = alignmentOf(metadata)
  const tensors = readTensors(file, tensorCount, alignment)
  checkExtents(tensors, file, alignment)
  return { metadata, tensors }
}

const readCount = (file: FileWindow, what: string, max: number): number => {
  const count = file.u64()
  if (count > BigInt(max)) throw new GgufError(`the header claims ${count} ${what}; at most ${max} are allowed`)
  return Number(count)
}

const alignmentOf = (metadata: Metadata): bigint => {
  const alignment = metadata.get('general.alignment') ?? 32
  const valid =
    typeof alignment === 'number' &&
    alignment > 0 &&
    alignment <= maxAlignment &&
    Number.isInteger(Math.log2(alignment))
  if (!valid) throw new GgufError('general.alignment is not a power of two')
  return BigInt(alignment)
}

const readTensors = (file: FileWindow, count: number, alignment: bigint): TensorEntry[] => {
  const names = new Set<string>()
  const tensors: TensorEntry[] = []
  for (let index = 0; index < count; index += 1) {
    const tensor = readTensor(file, alignment)
    if (names.has(tensor.name)) throw new GgufError('a tensor name occurs twice')
    names.add(tensor.name)
    tensors.push(tensor)
  }
  return tensors
}

const readTensor = (file: FileWindow, alignment: bigint): TensorEntry => {
  const name = readString(file, maxTensorNameBytes)
  const rank = file.u32()
  if (rank > maxDimensions) throw new GgufError(`a tensor has ${rank} dimensions; at most ${maxDimensions} are allowed`)
  const shape = Array.from({ length: rank }, () => file.u64())
  const bytes = tensorBytes(shape, file.u32())
  const offset = file.u64()
  if (offset % alignment !== 0n) throw new GgufError('the data of a tensor is not aligned')
  const elements = shape.reduce((product, dimension) => product * dimension, 1n)
  return { name, bytes: Number(bytes), elements: Number(elements), offset }
}

/** The products are BigInts, because an attacker may choose a shape that overflows 64 bits. */
const tensorBytes = (shape: readonly bigint[], type: number): bigint => {
  const layout = tensorTypes.get(type)
  if (!layout) throw new GgufError(`a tensor has the unknown type ${type}`)
  const row = shape[0] ?? 1n
  if (row % BigInt(layout.elements) !== 0n) throw new GgufError('a tensor row is not a whole number of blocks')
  const elements = shape.reduce((product, dimension) => product * dimension, 1n)
  const bytes = (elements / BigInt(layout.elements)) * BigInt(layout.bytes)
  if (bytes > BigInt(Number.MAX_SAFE_INTEGER)) throw new GgufError('a tensor claims an impossible size')
  return bytes
}

const checkExtents = (tensors: readonly TensorEntry[], file: FileWindow, alignment: bigint): void => {
  const end = BigInt(file.position)
  const data = ((end + alignment - 1n) / alignment) * alignment
  const size = BigInt(file.size)
  for (const { offset, bytes } of tensors) {
    if (data + offset + BigInt(bytes) > size)
      throw new GgufError('the data of a tensor is beyond the end of the file: it is truncated, or claims wrong sizes')
  }
}
