import { dataTypes } from '@sallyport/weights'
import type { Message } from './skim.js'
import { children, number, string, strings } from './skim.js'

interface NarrowType {
  /** Bytes of an element. */
  readonly size: number
  /** Processors have no arithmetic for the type, so every tensor of it is converted to single precision. */
  readonly always?: true
}

/** The types shorter than single precision, by `TensorProto.DataType`. */
const narrow: ReadonlyMap<number, NarrowType> = new Map([
  [dataTypes.INT8, { size: 1 }],
  [dataTypes.UINT8, { size: 1 }],
  [dataTypes.FP16, { size: 2, always: true }],
  [16, { size: 2, always: true }], // BFLOAT16
  [21, { size: 0.5 }], // UINT4
  [22, { size: 0.5 }], // INT4
])

/** Operators that convert their first input to single precision. onnxruntime runs them once, while it loads a graph. */
const widening = ['Cast', 'DequantizeLinear']

/** How many more bytes the weights of a graph need in memory, as some are converted to single precision. */
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
