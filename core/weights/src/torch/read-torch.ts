import { damagedFile, FormatError } from '../format-error.js'
import { isCount } from './globals.js'
import type { Pickled, TorchStorage, TorchView } from './globals.js'
import { Unpickler } from './unpickler.js'

export interface TorchTensor {
  readonly shape: readonly number[]
  /** Elements in row-major order, read on each call. */
  readonly values: () => Float32Array
}

/** The first value of the files that `torch.save` wrote until version 1.6. */
const magic = 0x1950a86a20f9469cfc6cn
const protocolVersion = 1001
const widths = { float: 4, long: 8 } as const

/**
 * The single-precision tensors of a state dictionary that `torch.save` wrote in its format without a zip file. Names in
 * nested dictionaries, as in checkpoints of training, are joined by dots. Nothing of the file is executed.
 * @throws FormatError for other files and for whatever is not read here
 */
export const readTorch = (bytes: Uint8Array): Map<string, TorchTensor> => {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\x03\x04')
    throw new FormatError('the file is a zip file of PyTorch: only the older format of torch.save is read')
  const reader = new Unpickler(bytes, loadStorage)
  checkHeader(reader)
  const state = reader.read()
  if (!(state instanceof Map)) throw new FormatError('the file does not hold a state dictionary')
  const views = tensorViewsIn(state, [], new Set())
  const starts = storageStarts(reader, storagesOf(views), bytes)
  const tensors = new Map<string, TorchTensor>()
  for (const [name, tensor] of views) {
    const { shape, storage } = tensor
    const start = starts.get(storage.key)
    if (start === undefined) throw damagedFile()
    if (storage.kind === 'float') tensors.set(name, { shape, values: () => valuesOf(tensor, bytes, start) })
  }
  return tensors
}

const checkHeader = (reader: Unpickler): void => {
  const notTorch = new FormatError(
    'the file does not hold weights of PyTorch in the older format of torch.save (pickle protocol 2 or 3)',
  )
  let first: Pickled
  try {
    first = reader.read()
  } catch {
    throw notTorch
  }
  if (first !== magic || reader.read() !== protocolVersion) throw notTorch
  const system = reader.read()
  if (!(system instanceof Map)) throw damagedFile()
  if (system.get('little_endian') !== true)
    throw new FormatError('the file of weights was written on a big-endian machine')
}

/** The persistent id is `('storage', type, key, device, elements, view metadata)`. */
const loadStorage = (persistentId: readonly Pickled[]): TorchStorage => {
  const [tag, type, key, , elements, viewMetadata] = persistentId
  const kind = typeof type === 'object' && type && 'global' in type ? storageKinds[type.global] : undefined
  if (tag === 'storage' && kind && typeof key === 'string' && isCount(elements) && viewMetadata === null)
    return { key, kind, elements }
  throw new FormatError('the file of weights holds data of an unknown kind')
}

const storageKinds: Readonly<Record<string, TorchStorage['kind']>> = {
  'torch.FloatStorage': 'float',
  'torch.LongStorage': 'long',
}

/** The maximum depth of nested dictionaries; the outermost has depth 0. */
const maxDepth = 8

/** Each dictionary is read once: a pickle may put one into many others, or into itself. */
const tensorViewsIn = (
  state: Map<Pickled, Pickled>,
  path: readonly string[],
  seen: Set<Pickled>,
): [string, TorchView][] => {
  if (seen.has(state)) return []
  if (path.length > maxDepth) throw new FormatError('the file of weights nests dictionaries too deep')
  seen.add(state)
  return [...state].flatMap(([key, value]): [string, TorchView][] => {
    if (typeof key === 'object' || typeof value !== 'object' || value === null) return []
    const keys = [...path, String(key)]
    if (value instanceof Map) return tensorViewsIn(value, keys, seen)
    return 'storage' in value ? [[keys.join('.'), value]] : []
  })
}

/** Each view was checked against the size that its own persistent id claims for the storage: all must claim the same. */
const storagesOf = (views: readonly [string, TorchView][]): Map<string, TorchStorage> => {
  const storages = new Map<string, TorchStorage>()
  for (const [, { storage }] of views) {
    const { kind, elements } = storages.get(storage.key) ?? storage
    if (kind !== storage.kind || elements !== storage.elements) throw damagedFile()
    storages.set(storage.key, storage)
  }
  return storages
}

/** Where storages start. After the pickles come the list of keys, then for each the number of elements and the elements. */
const storageStarts = (reader: Unpickler, storages: Map<string, TorchStorage>, bytes: Uint8Array) => {
  const keys = reader.read()
  if (!Array.isArray(keys)) throw damagedFile()
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const starts = new Map<string, number>()
  for (const key of keys) {
    const storage = typeof key === 'string' ? storages.get(key) : undefined
    const countStart = reader.position
    reader.take(8)
    if (!storage || data.getBigInt64(countStart, true) !== BigInt(storage.elements)) throw damagedFile()
    starts.set(storage.key, reader.position)
    reader.take(storage.elements * widths[storage.kind])
  }
  return starts
}

const valuesOf = ({ shape, strides, offset }: TorchView, bytes: Uint8Array, start: number): Float32Array => {
  const data = new DataView(bytes.buffer, bytes.byteOffset + start)
  const values = new Float32Array(shape.reduce((product, size) => product * size, 1))
  const position = shape.map(() => 0)
  for (let index = 0; index < values.length; index++) {
    const element = position.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), offset)
    values[index] = data.getFloat32(element * widths.float, true)
    advance(position, shape)
  }
  return values
}

/** Moves to the next position in row-major order. */
const advance = (position: number[], shape: readonly number[]): void => {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const value = (position[axis] ?? 0) + 1
    position[axis] = value === shape[axis] ? 0 : value
    if (value !== shape[axis]) return
  }
}
