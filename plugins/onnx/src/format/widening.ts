import { dataTypes } from '@sallyport/weights'
import type { Message } from './skim.js'
import { children, number, string, strings } from './skim.js'

/** The bytes of an element of the types shorter than single precision, by `TensorProto.DataType`. */
const sizes: ReadonlyMap<number, number> = new Map([
  [dataTypes.INT8, 1],
  [dataTypes.UINT8, 1],
  [dataTypes.FP16, 2],
  [16, 2], // BFLOAT16
  [21, 0.5], // UINT4
  [22, 0.5], // INT4
])

/** Operators that convert their first input to single precision. onnxruntime runs them once, while it loads a graph. */
const widening = ['Cast', 'DequantizeLinear']

/** How many more bytes the weights of a graph need in memory, as some are converted to single precision. */
export const wideningBytes = (graph: Message): number => {
  const nodes = children(graph, 'node').filter((node) => widening.includes(string(node, 'opType')))
  const widened = new Set(nodes.map((node) => strings(node, 'input')[0]))
  return children(graph, 'initializer').reduce((sum, tensor) => {
    const size = sizes.get(number(tensor, 'dataType'))
    // Processors have no arithmetic for numbers of two bytes, so all these tensors are converted.
    const isWidened = size === 2 || widened.has(string(tensor, 'name'))
    return size !== undefined && isWidened ? sum + bytesOf(tensor) * (4 / size - 1) : sum
  }, 0)
}

const bytesOf = (tensor: Message): number => {
  const length = children(tensor, 'externalData').find((entry) => string(entry, 'key') === 'length')
  return length ? Number(string(length, 'value')) || 0 : number(tensor, 'rawData')
}
