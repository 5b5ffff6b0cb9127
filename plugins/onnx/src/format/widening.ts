import { dataTypes } from '@sallyport/weights'
import type { Message } from './skim.js'
import { children, number, string, strings } from './skim.js'

interface NarrowType {
  /** Bytes of an element. */
  readonly size: number
  /** There is no arithmetic of the type on a processor: whoever reads the tensor, it is brought to single precision. */
  readonly always?: true
}

/** Types shorter than single precision, by `TensorProto.DataType`. */
const narrow: ReadonlyMap<number, NarrowType> = new Map([
  [dataTypes.INT8, { size: 1 }],
  [dataTypes.UINT8, { size: 1 }],
  [dataTypes.FP16, { size: 2, always: true }],
  [16, { size: 2, always: true }], // BFLOAT16
  [21, { size: 0.5 }], // UINT4
  [22, { size: 0.5 }], // INT4
])

/** They make single precision of what they read first; onnxruntime does so once, while it loads a graph. */
const widening = ['Cast', 'DequantizeLinear']

/** How many more bytes the weights of a graph have in single precision: of those that are computed in it. */
export const wideningBytes = (graph: Message): number => {
  const nodes = children(graph, 'node').filter((node) => widening.includes(string(node, 'opType')))
  const widened = new Set(nodes.map((node) => strings(node, 'input')[0]))
  return children(graph, 'initializer').reduce((sum, tensor) => {
    const type = narrow.get(number(tensor, 'dataType'))
    const isWidened = type && (type.always === true || widened.has(string(tensor, 'name')))
    return isWidened ? sum + bytesOf(tensor) * (4 / type.size - 1) : sum
  }, 0)
}

const bytesOf = (tensor: Message): number => {
  const length = children(tensor, 'externalData').find((entry) => string(entry, 'key') === 'length')
  return length ? Number(string(length, 'value')) || 0 : number(tensor, 'rawData')
}
