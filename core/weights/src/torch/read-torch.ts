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
 * nested dictionaries, as in checkpoints of a training, are joined by dots. Nothing of the file is executed.
 * @throws FormatError for other files and for whatever weights do not need
 */
export const readTorch = (bytes: Uint8Array): Map<string, TorchTensor> => {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\x03\x04')
    throw new FormatError('the file is a zip file of PyTorch: only the older format of torch.save is read')
  const reader = new Unpickler(bytes, storageOf)
  checkHeader(reader)
  const state = reader.read()
  if (!(state instanceof Map)) throw new FormatError('the file does not hold a state dictionary')
  const views = tensorViewsIn(state, [], new Set())
  const starts = storageStarts(reader, storagesOf(views), bytes)
  const tensors = new Map<string, TorchTensor>()
  for (const [name, tensor] of views) {
    const { shape, view } = tensor
    const start = starts.get(view.storage)
    if (start === undefined) throw damagedFile()
    if (view.kind === 'float') tensors.set(name, { shape, values: () => valuesOf(tensor, bytes, start) })
  }
  return tensors
}

const checkHeader = (reader: Unpickler): void => {
  const notTorch = new FormatError('the file does not hold weights of PyTorch')
  let first: Pickled
  try {
    first = reader.read()
  } catch {
    throw notTorch
  }
  if (first !== magic || reader.read() !== protocolVersion) throw notTorch
  const system = reader.read()
  if (!(system instanceof Map) || system.get('little_endian') !== true)
    throw new FormatError('the file of weights was written on a big-endian machine')
}

/** The reference is `('storage', type, key, device, elements, view)`. */
const storageOf = (reference: readonly Pickled[]): TorchStorage => {
  const [tag, type, key, , elements, view] = reference
  const kind = typeof type === 'object' && type && 'global' in type ? storageKinds[type.global] : undefined
  if (tag === 'storage' && kind && typeof key === 'string' && isCount(elements) && view === null)
    return { storage: key, kind, elements }
  throw new FormatError('the file of weights holds data of an unknown kind')
}

const storageKinds: Readonly<Record<string, TorchStorage['kind']>> = {
  'torch.FloatStorage': 'float',
  'torch.LongStorage': 'long',
}

/** Levels of nested dictionaries; no file of weights has more. */
const maxDepth = 8

/** Each dictionary counts once: a pickle may put one into many others, or into itself. */
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
    const place = [...path, String(key)]
    if (value instanceof Map) return tensorViewsIn(value, place, seen)
    return 'view' in value ? [[place.join('.'), value]] : []
  })
}

/** Views were checked against the size that their own reference to the storage claims: all must claim the same. */
const storagesOf = (views: readonly [string, TorchView][]): Map<string, TorchStorage> => {
  const storages = new Map<string, TorchStorage>()
  for (const [, { view }] of views) {
    const { kind, elements } = storages.get(view.storage) ?? view
    if (kind !== view.kind || elements !== view.elements) throw damagedFile()
    storages.set(view.storage, view)
  }
  return storages
}

/** After the pickles: the list of keys, then for each the number of elements and the elements. */
const storageStarts = (reader: Unpickler, storages: Map<string, TorchStorage>, bytes: Uint8Array) => {
  const keys = reader.read()
  if (!Array.isArray(keys)) throw damagedFile()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const starts = new Map<string, number>()
  for (const key of keys) {
    const storage = typeof key === 'string' ? storages.get(key) : undefined
    const head = reader.position
    reader.take(8)
    if (!storage || view.getBigInt64(head, true) !== BigInt(storage.elements)) throw damagedFile()
    starts.set(storage.storage, reader.position)
    reader.take(storage.elements * widths[storage.kind])
  }
  return starts
}

const valuesOf = ({ shape, strides, offset }: TorchView, bytes: Uint8Array, start: number): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start)
  const values = new Float32Array(shape.reduce((product, size) => product * size, 1))
  const position = shape.map(() => 0)
  for (let index = 0; index < values.length; index++) {
    const place = position.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), offset)
    values[index] = view.getFloat32(place * 4, true)
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
