import type { Tensor, TensorType } from '@sallyport/core'
import type { Tensor as OrtTensor, TensorConstructor } from 'onnxruntime-node'

type OrtData = Float32Array | Float64Array | BigInt64Array | BigUint64Array | IntegerArray
type IntegerArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
type DataClass = { new (buffer: ArrayBufferLike, offset: number, length: number): OrtData; BYTES_PER_ELEMENT: number }

interface ElementType {
  readonly type: TensorType
  readonly ort: OrtTensor.Type
  readonly data: DataClass
}

/** Half precision is handed over as bits on Node.js 20, which has no typed array for it. */
const halfData = ((globalThis as { Float16Array?: unknown }).Float16Array ?? Uint16Array) as DataClass

const elementTypes: readonly ElementType[] = [
  { type: 'FP16', ort: 'float16', data: halfData },
  { type: 'FP32', ort: 'float32', data: Float32Array },
  { type: 'FP64', ort: 'float64', data: Float64Array },
  { type: 'INT8', ort: 'int8', data: Int8Array },
  { type: 'INT16', ort: 'int16', data: Int16Array },
  { type: 'INT32', ort: 'int32', data: Int32Array },
  { type: 'INT64', ort: 'int64', data: BigInt64Array },
  { type: 'UINT8', ort: 'uint8', data: Uint8Array },
  { type: 'UINT16', ort: 'uint16', data: Uint16Array },
  { type: 'UINT32', ort: 'uint32', data: Uint32Array },
  { type: 'UINT64', ort: 'uint64', data: BigUint64Array },
  { type: 'BOOL', ort: 'bool', data: Uint8Array },
]

const byType = new Map(elementTypes.map((element) => [element.type, element]))
const byOrt = new Map(elementTypes.map((element) => [element.ort, element]))

/** Undefined for types that are not supported: strings, and numbers of 4 bits. */
export const typeOfOrt = (type: OrtTensor.Type): TensorType | undefined => byOrt.get(type)?.type

/** Undefined for an unknown type. */
export const bytesPerElement = (type: TensorType): number | undefined => byType.get(type)?.data.BYTES_PER_ELEMENT

/** The number of elements of a shape. */
export const elementsOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)

/** Shares the memory of the tensor where it is aligned. The data must be as long as the shape says. */
export const toOrt = ({ type, shape, data }: Tensor, create: TensorConstructor): OrtTensor => {
  const element = byType.get(type)
  if (!element) throw new TypeError(`there is no element type ${type}`)
  const aligned = data.byteOffset % element.data.BYTES_PER_ELEMENT === 0 ? data : data.slice()
  const values = new element.data(aligned.buffer, aligned.byteOffset, elementsOf(shape))
  return new create(element.ort as 'float32', values as Float32Array, shape)
}

/** Shares the memory of the tensor. */
export const fromOrt = ({ type, dims, data }: OrtTensor): Tensor => {
  const element = byOrt.get(type)
  if (!element || Array.isArray(data)) throw new TypeError(`results of the type ${type} cannot be read`)
  return { type: element.type, shape: [...dims], data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}
