import { FormatError } from '../format-error.js'

/** A value in a pickle of weights. */
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Pickled[]
  | Map<Pickled, Pickled>
  | { readonly tuple: readonly Pickled[] }
  | { readonly global: keyof typeof allowedGlobals }
  | TorchStorage
  | TorchView

/** The numbers of one or more tensors. */
export interface TorchStorage {
  readonly key: string
  readonly kind: 'float' | 'long'
  readonly elements: number
}

/** A tensor as a view of a storage. */
export interface TorchView {
  readonly storage: TorchStorage
  readonly offset: number
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

const invalidTensor = () => new FormatError('the file of weights describes a tensor that its data does not hold')

/**
 * The names that a pickle may use, and what a call of them returns; the types of storages are only named, not called. No
 * name of Python is ever looked up.
 */
export const allowedGlobals = {
  'collections.OrderedDict': (parameters: readonly Pickled[]): Pickled => {
    if (parameters.length) throw new FormatError('the file of weights is written in an unknown way')
    return new Map()
  },
  'torch._utils._rebuild_tensor_v2': (parameters: readonly Pickled[]): Pickled => {
    const [storage, offset, shape, strides] = parameters
    if (!isStorage(storage) || !isCount(offset)) throw invalidTensor()
    return checkBounds({ storage, offset, shape: counts(shape), strides: counts(strides) })
  },
  'torch.FloatStorage': refuseCall,
  'torch.LongStorage': refuseCall,
}

function refuseCall(): Pickled {
  throw new FormatError('the file is refused: it calls a type of storage')
}

const isStorage = (value: Pickled | undefined): value is TorchStorage =>
  typeof value === 'object' && value !== null && 'key' in value

export const isCount = (value: Pickled | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const counts = (value: Pickled | undefined): number[] => {
  if (typeof value !== 'object' || value === null || !('tuple' in value)) throw invalidTensor()
  if (value.tuple.length > 8 || !value.tuple.every(isCount)) throw invalidTensor()
  return [...value.tuple]
}

/** No tensor has more elements than its storage, so what is read is bounded by the file. */
const checkBounds = (tensor: TorchView): TorchView => {
  const { shape, strides, offset, storage } = tensor
  const last = shape.reduce((sum, size, axis) => sum + Math.max(size - 1, 0) * (strides[axis] ?? 0), offset)
  const elements = shape.reduce((product, size) => product * size, 1)
  if (strides.length !== shape.length || elements > storage.elements || (elements > 0 && last >= storage.elements))
    throw invalidTensor()
  return tensor
}
