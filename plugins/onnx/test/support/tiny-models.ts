/**
 * Small models with weights from a seed, as ONNX files, each with the same computation in plain JavaScript. A token's
 * state is tanh((E[id] + T[type] + P[position] + mean over the text of E[id] + T[type]) W): it depends on the other
 * tokens, on the order and, through the mean, on the mask.
 */

import { buildOnnx, int64 } from '../../src/format/index.js'
import type { OnnxNode, OnnxPort, OnnxTensor } from '../../src/format/index.js'
import { randomNumbers } from './random.js'

export interface TinyOptions {
  readonly seed?: number
  readonly vocabulary?: number
  readonly hidden?: number
  /** Most tokens of a text. */
  readonly positions?: number
  /** Whether the model takes token_type_ids. */
  readonly typeIds?: boolean
}

/** A text as ids, with 0 or 1 per token where the model tells two texts apart. */
export interface TinyText {
  readonly ids: readonly number[]
  readonly typeIds?: readonly number[]
}

/** Rows of a matrix. */
export type Rows = readonly (readonly number[])[]

export interface TinyModel<Result> {
  readonly bytes: Uint8Array
  /** What the model says of one text, computed without ONNX. */
  readonly expected: (text: TinyText) => Result
}

/** Outputs `last_hidden_state` [batch, sequence, hidden]. */
export const tinyEncoder = (options: TinyOptions = {}): TinyModel<number[][]> => {
  const encoder = encoderParts(options)
  const outputs = [port('last_hidden_state', ['batch', 'sequence', encoder.hidden])]
  return { bytes: encoder.build([identity('states', 'last_hidden_state')], {}, outputs), expected: encoder.states }
}

/** Outputs `logits` [batch, labels] from the mean over the mask; a cross-encoder with one label. */
export const tinyClassifier = (labels: number, options: TinyOptions = {}): TinyModel<number[]> => {
  const encoder = encoderParts(options)
  const head = encoder.head(labels)
  return {
    bytes: encoder.build(
      [...encoder.pool('states', 'pooled'), node('MatMul', ['pooled', 'head'], ['product']), addBias('logits')],
      head.tensors,
      [port('logits', ['batch', labels])],
    ),
    expected: (text) => head.apply(mean(encoder.states(text))),
  }
}

export const tinyCrossEncoder = (options: TinyOptions = {}): TinyModel<number> => {
  const { bytes, expected } = tinyClassifier(1, { typeIds: true, ...options })
  return { bytes, expected: (text) => expected(text)[0]! }
}

/** Outputs `logits` [batch, sequence, labels]. */
export const tinyTokenClassifier = (labels: number, options: TinyOptions = {}): TinyModel<number[][]> => {
  const encoder = encoderParts(options)
  const head = encoder.head(labels)
  return {
    bytes: encoder.build([node('MatMul', ['states', 'head'], ['product']), addBias('logits')], head.tensors, [
      port('logits', ['batch', 'sequence', labels]),
    ]),
    expected: (text) => encoder.states(text).map(head.apply),
  }
}

export interface TinyPair {
  /** input_ids, attention_mask -> text_embeds [batch, size]; not normalised. */
  readonly text: TinyModel<number[]>
  /** pixel_values [batch, 3, side, side] -> image_embeds [batch, size]; not normalised. */
  readonly vision: { readonly bytes: Uint8Array; readonly expected: (pixels: Float32Array) => number[] }
  /** Both towers in one file, as exported for zero-shot classification: all inputs are needed. */
  readonly both: Uint8Array
  readonly side: number
  readonly size: number
}

/** A pair of towers in the manner of CLIP; pictures of `side` (even) pixels are seen as the means of their quarters. */
export const tinyPair = ({
  side = 8,
  size = 6,
  ...options
}: TinyOptions & { side?: number; size?: number } = {}): TinyPair => {
  const encoder = encoderParts(options)
  const projection = encoder.head(size, 'text')
  const vision = visionParts(side, size, encoder.random)
  const textNodes = [...encoder.pool('states', 'pooled'), node('MatMul', ['pooled', 'text.head'], ['text_embeds'])]
  const textTensors = { 'text.head': projection.tensors['text.head']! }
  const textOutput = port('text_embeds', ['batch', size])
  const visionOutput = port('image_embeds', ['images', size])
  const pixels = port('pixel_values', ['images', 3, side, side])
  return {
    side,
    size,
    text: {
      bytes: encoder.build(textNodes, textTensors, [textOutput]),
      expected: (text) => multiply(mean(encoder.states(text)), projection.weights),
    },
    vision: {
      bytes: buildOnnx({
        inputs: [pixels],
        outputs: [visionOutput],
        nodes: vision.nodes,
        initializers: vision.tensors,
      }),
      expected: vision.expected,
    },
    both: encoder.build(
      [...textNodes, ...vision.nodes],
      { ...textTensors, ...vision.tensors },
      [textOutput, visionOutput],
      [pixels],
    ),
  }
}

const visionParts = (side: number, size: number, random: (count: number) => Float32Array) => {
  const half = side / 2
  const weights = rows(random(12 * size), size)
  const expected = (pixels: Float32Array): number[] => {
    const quarters = Array.from({ length: 12 }, () => 0)
    pixels.forEach((value, index) => {
      const row = Math.floor(index / side) % side
      const quarter = Math.floor(index / side ** 2) * 4 + Math.floor(row / half) * 2 + Math.floor((index % side) / half)
      quarters[quarter]! += value / half ** 2
    })
    return multiply(quarters, weights)
  }
  const window = { ints: [half, half] }
  return {
    expected,
    tensors: { 'vision.head': matrix(weights) },
    nodes: [
      node('AveragePool', ['pixel_values'], ['quarters'], { kernel_shape: window, strides: window }),
      node('Flatten', ['quarters'], ['flat']),
      node('MatMul', ['flat', 'vision.head'], ['image_embeds']),
    ],
  }
}

const encoderParts = ({ seed = 1, vocabulary = 64, hidden = 8, positions = 64, typeIds = false }: TinyOptions) => {
  const random = randomNumbers(seed)
  const table = (height: number, width: number) => rows(random(height * width), width)
  const [words, types, places, mixer] = [
    table(vocabulary, hidden),
    table(2, hidden),
    table(positions, hidden),
    table(hidden, hidden),
  ]
  const states = (text: TinyText): number[][] => {
    const inputs = text.ids.map((id, index) =>
      typeIds ? plus(words[id]!, types[text.typeIds?.[index] ?? 0]!) : [...words[id]!],
    )
    const context = mean(inputs)
    return inputs.map((row, index) => multiply(plus(plus(row, places[index]!), context), mixer).map(Math.tanh))
  }
  const tensors = {
    words: matrix(words),
    places: matrix(places),
    mixer: matrix(mixer),
    ...(typeIds && { types: matrix(types) }),
  }
  return {
    hidden,
    random,
    states,
    pool: meanNodes,
    head: (labels: number, prefix?: string) => makeHead(table(hidden, labels), random(labels), prefix),
    build: (
      nodes: readonly OnnxNode[],
      more: Readonly<Record<string, OnnxTensor>>,
      outputs: readonly OnnxPort[],
      inputs: readonly OnnxPort[] = [],
    ) =>
      buildOnnx({
        inputs: [...textPorts(typeIds), ...inputs],
        outputs,
        nodes: [...encoderNodes(typeIds), ...nodes],
        initializers: { ...tensors, ...shapes, ...more },
      }),
  }
}

const textPorts = (typeIds: boolean): OnnxPort[] =>
  ['input_ids', 'attention_mask', ...(typeIds ? ['token_type_ids'] : [])].map((name) => ({
    name,
    type: 'INT64',
    shape: ['batch', 'sequence'],
  }))

const shapes = { zero: int64([0]), one: int64([1]), two: int64([2]) }

const encoderNodes = (typeIds: boolean): OnnxNode[] => [
  node('Cast', ['attention_mask'], ['mask'], { to: { int: 1 } }),
  node('Unsqueeze', ['mask', 'two'], ['weights']),
  node('Gather', ['words', 'input_ids'], ['word_states']),
  ...(typeIds
    ? [
        node('Gather', ['types', 'token_type_ids'], ['type_states']),
        node('Add', ['word_states', 'type_states'], ['read']),
      ]
    : [identity('word_states', 'read')]),
  ...meanNodes('read', 'mean'),
  node('Unsqueeze', ['mean', 'one'], ['context']),
  node('Shape', ['input_ids'], ['length'], { start: { int: 1 }, end: { int: 2 } }),
  node('Slice', ['places', 'zero', 'length', 'zero'], ['place_states']),
  node('Add', ['read', 'place_states'], ['placed']),
  node('Add', ['placed', 'context'], ['mixed']),
  node('MatMul', ['mixed', 'mixer'], ['turned']),
  node('Tanh', ['turned'], ['states']),
]

/** [batch, sequence, n] to [batch, n], over the tokens of the mask. */
const meanNodes = (from: string, to: string): OnnxNode[] => [
  node('Mul', [from, 'weights'], [`${to}.masked`]),
  node('ReduceSum', [`${to}.masked`, 'one'], [`${to}.sum`], { keepdims: { int: 0 } }),
  node('ReduceSum', ['weights', 'one'], [`${to}.count`], { keepdims: { int: 0 } }),
  node('Div', [`${to}.sum`, `${to}.count`], [to]),
]

const makeHead = (weights: Rows, bias: Float32Array, prefix?: string) => ({
  weights,
  tensors: {
    [prefix ? `${prefix}.head` : 'head']: matrix(weights),
    [prefix ? `${prefix}.bias` : 'bias']: { shape: [bias.length], data: bias },
  } as Record<string, OnnxTensor>,
  apply: (row: readonly number[]) => plus(multiply(row, weights), [...bias]),
})

const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes?: OnnxNode['attributes'],
): OnnxNode => ({ op, inputs, outputs, ...(attributes && { attributes }) })

const identity = (from: string, to: string): OnnxNode => node('Identity', [from], [to])
const addBias = (to: string): OnnxNode => node('Add', ['product', 'bias'], [to])
const port = (name: string, shape: readonly (number | string)[]): OnnxPort => ({ name, type: 'FP32', shape })

const rows = (values: Float32Array, width: number): number[][] =>
  Array.from({ length: values.length / width }, (_, row) => [...values.subarray(row * width, (row + 1) * width)])

const matrix = (values: Rows): OnnxTensor => ({
  shape: [values.length, values[0]!.length],
  data: Float32Array.from(values.flat()),
})

const plus = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((value, index) => value + right[index]!)

const mean = (values: Rows): number[] =>
  values[0]!.map((_, column) => values.reduce((sum, row) => sum + row[column]!, 0) / values.length)

const multiply = (row: readonly number[], by: Rows): number[] =>
  by[0]!.map((_, column) => row.reduce((sum, value, index) => sum + value * by[index]![column]!, 0))
