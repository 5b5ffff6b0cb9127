import type { TensorType } from '@sallyport/core'
import { attributeTypes, dataTypes, modelProto } from './schema.js'

/** Elements in row-major order. FP16, as bits in a Uint16Array, and BOOL, as bytes, need the field `type`. */
export interface OnnxTensor {
  readonly shape: readonly number[]
  readonly data: TensorData
  /** Default: the array's type. */
  readonly type?: TensorType
}

/** A tensor with its elements, little-endian, in another file, which the runtime maps into memory. */
export interface OnnxExternalTensor {
  readonly shape: readonly number[]
  readonly type: TensorType
  /** The name of the file, which is in the directory of the graph's. */
  readonly location: string
  /** In bytes, as `length`. */
  readonly offset: number
  readonly length: number
}

export type TensorData =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array

type OnnxAttribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly string: string }
  | { readonly ints: readonly number[] }
  | { readonly floats: readonly number[] }
  | { readonly tensor: OnnxTensor }

export interface OnnxNode {
  /** An operator of ONNX, or of the domain if there is one. */
  readonly op: string
  /** The domain of onnxruntime's own operators. */
  readonly domain?: 'com.microsoft'
  /** '' is an optional input that is left out. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>
}

/** An input or output of a graph. */
export interface OnnxValueInfo {
  readonly name: string
  readonly type: TensorType
  /** A name is a dynamic dimension. */
  readonly shape: readonly (number | string)[]
}

export interface OnnxGraph {
  readonly inputs: readonly OnnxValueInfo[]
  readonly outputs: readonly OnnxValueInfo[]
  readonly initializers?: Readonly<Record<string, OnnxTensor | OnnxExternalTensor>>
  /** In topological order. */
  readonly nodes: readonly OnnxNode[]
}

const irVersion = 8
/** `TensorProto.DataLocation.EXTERNAL`. */
const externalLocation = 1
/** Versions of ONNX's operators and of onnxruntime's own. */
const opsets = [
  { domain: '', version: 17 },
  { domain: 'com.microsoft', version: 1 },
]

/** The graph as an ONNX file. It is not validated here, but by the runtime that loads it. */
export const buildOnnx = (graph: OnnxGraph): Uint8Array =>
  modelProto
    .encode(
      modelProto.create({
        irVersion,
        producerName: 'sallyport',
        opsetImport: opsets.filter(({ domain }) => !domain || graph.nodes.some((one) => one.domain === domain)),
        graph: {
          name: 'graph',
          node: graph.nodes.map(node),
          initializer: Object.entries(graph.initializers ?? {}).map(([name, value]) => ({
            ...('location' in value ? externalTensor(value) : tensor(value)),
            name,
          })),
          input: graph.inputs.map(valueInfo),
          output: graph.outputs.map(valueInfo),
        },
      }),
    )
    .finish()

const node = ({ op, domain, inputs, outputs, attributes }: OnnxNode) => ({
  opType: op,
  ...(domain && { domain }),
  input: inputs,
  output: outputs,
  attribute: Object.entries(attributes ?? {}).map(([name, value]) => ({ name, ...attribute(value) })),
})

const attribute = (value: OnnxAttribute) => {
  if ('int' in value) return { type: attributeTypes.int, i: value.int }
  if ('float' in value) return { type: attributeTypes.float, f: value.float }
  if ('string' in value) return { type: attributeTypes.string, s: Buffer.from(value.string) }
  if ('ints' in value) return { type: attributeTypes.ints, ints: value.ints }
  if ('floats' in value) return { type: attributeTypes.floats, floats: value.floats }
  return { type: attributeTypes.tensor, t: tensor(value.tensor) }
}

const valueInfo = ({ name, type, shape }: OnnxValueInfo) => ({
  name,
  type: {
    tensorType: {
      elemType: dataTypes[type],
      shape: { dim: shape.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size })) },
    },
  },
})

const tensor = ({ shape, data, type }: OnnxTensor) => {
  const elements = shape.reduce((product, size) => product * size, 1)
  if (elements !== data.length) throw new Error(`a tensor of shape [${shape.join(', ')}] has ${data.length} elements`)
  return {
    dims: shape,
    dataType: dataTypes[type ?? typeOf(data)],
    rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  }
}

const externalTensor = ({ shape, type, location, offset, length }: OnnxExternalTensor) => ({
  dims: shape,
  dataType: dataTypes[type],
  dataLocation: externalLocation,
  externalData: Object.entries({ location, offset, length }).map(([key, value]) => ({ key, value: String(value) })),
})

const typeOf = (data: TensorData): TensorType => {
  if (data instanceof Float32Array) return 'FP32'
  if (data instanceof Float64Array) return 'FP64'
  if (data instanceof Int8Array) return 'INT8'
  if (data instanceof Int16Array) return 'INT16'
  if (data instanceof Int32Array) return 'INT32'
  if (data instanceof BigInt64Array) return 'INT64'
  if (data instanceof Uint8Array) return 'UINT8'
  if (data instanceof Uint16Array) return 'UINT16'
  return data instanceof Uint32Array ? 'UINT32' : 'UINT64'
}

/** A list of 64-bit integers or a single one, for shapes, axes and indices. */
export const int64 = (values: readonly number[] | number): OnnxTensor => {
  const [shape, list] = typeof values === 'number' ? [[], [values]] : [[values.length], values]
  return { shape, data: BigInt64Array.from(list, BigInt) }
}

/** A single float. */
export const scalar = (value: number): OnnxTensor => ({ shape: [], data: Float32Array.of(value) })
