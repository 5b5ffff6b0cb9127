import type { TensorType } from '@sallyport/core'
import { dataTypes, FormatError, modelProto } from '@sallyport/weights'
import { child, children, number, skim, string, strings } from './skim.js'
import type { Message } from './skim.js'
import { sourceOfBytes, withFileSource } from './source.js'
import type { ByteSource } from './source.js'

export interface OnnxValue {
  readonly name: string
  /** Absent for a value that is not a tensor, and for types that the Open Inference Protocol does not name. */
  readonly type?: TensorType
  /** A dynamic dimension is -1. The shape is also empty where the file states none. */
  readonly shape: readonly number[]
}

/** The description in an ONNX file, without its weights. */
export interface OnnxInfo {
  readonly inputs: readonly OnnxValue[]
  readonly outputs: readonly OnnxValue[]
  /** Paths of other files with weights, as the file writes them (relative to its folder). */
  readonly externalData: readonly string[]
  /** How many bytes the weights need in memory beyond their size in the file, when they become single precision. */
  readonly wideningBytes: number
  /** The metadata properties (`metadata_props`) that the author set. */
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * Reads an ONNX file's description. Weights are skipped, so files may have any size.
 * @throws FormatError with a sentence for the operator: not ONNX, damaged, or beyond the limits of {@link skim}
 */
export const readOnnx = (bytes: Uint8Array): OnnxInfo => describe(sourceOfBytes(bytes))

/** Like {@link readOnnx}, but reads only the parts of the file that are needed. */
export const readOnnxFile = (path: string): OnnxInfo => withFileSource(path, describe)

const describe = (source: ByteSource): OnnxInfo => {
  const model = skimModel(source)
  const graph = child(model, 'graph')
  if (!graph || !number(model, 'irVersion') || children(model, 'opsetImport').length === 0) throw notOnnx()
  const locations = new Set<string>()
  collectLocations(model, locations)
  // Older files list their weights among the inputs.
  const weights = new Set(children(graph, 'initializer').map((tensor) => string(tensor, 'name')))
  return {
    inputs: valuesOf(graph, 'input').filter(({ name }) => !weights.has(name)),
    outputs: valuesOf(graph, 'output'),
    externalData: [...locations].sort(),
    wideningBytes: wideningBytes(graph),
    metadata: Object.fromEntries(
      children(model, 'metadataProps').map((entry) => [string(entry, 'key'), string(entry, 'value')]),
    ),
  }
}

const notOnnx = () => new FormatError('the file is not an ONNX model')

/** A file of another kind is detected by its first tag, and is not reported as damaged. */
const skimModel = (source: ByteSource): Message => {
  const [start] = source.read(0, 1)
  const firstFields = [0x08, 0x12, 0x3a, 0x42] // ir_version, producer_name, graph, opset_import
  if (start === undefined) throw new FormatError('the file is empty')
  if (!firstFields.includes(start)) throw notOnnx()
  return skim(source, modelProto)
}

const typeNames = new Map(Object.entries(dataTypes).map(([name, id]) => [id, name as TensorType]))

const valuesOf = (graph: Message, field: 'input' | 'output'): OnnxValue[] =>
  children(graph, field).map((value) => {
    const tensor = child(child(value, 'type'), 'tensorType')
    const type = tensor && typeNames.get(number(tensor, 'elemType'))
    const shape = children(child(tensor, 'shape'), 'dim').map((dimension) =>
      dimension['dimValue'] === undefined ? -1 : number(dimension, 'dimValue'),
    )
    return { name: string(value, 'name'), shape, ...(type && { type }) }
  })

const collectLocations = (message: Message, locations: Set<string>): void => {
  for (const entry of children(message, 'externalData'))
    if (string(entry, 'key') === 'location') locations.add(string(entry, 'value'))
  for (const value of Object.values(message))
    for (const part of Array.isArray(value) ? value : [value])
      if (typeof part === 'object') collectLocations(part, locations)
}

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
const wideningBytes = (graph: Message): number => {
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
