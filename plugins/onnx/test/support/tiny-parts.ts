/** What the tiny models are made of. */

import { buildOnnx, int64 } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor, OnnxValueInfo } from '@sallyport/weights'
import { randomNumbers } from './random.js'

export interface TinyOptions {
  readonly seed?: number
  readonly vocabulary?: number
  readonly hidden?: number
  /** Most tokens of a text. */
  readonly positions?: number
  /** Whether the model takes token_type_ids. */
  readonly typeIds?: boolean
  /** Whether the model takes attention_mask; without, padding is text like any other. */
  readonly mask?: boolean
}

/** A text as ids, with 0 or 1 per token where the model tells two texts apart. */
export interface TinyText {
  readonly ids: readonly number[]
  readonly typeIds?: readonly number[]
}

/** Rows of a matrix. */
export type Rows = readonly (readonly number[])[]

export const encoderParts = ({
  seed = 1,
  vocabulary = 64,
  hidden = 8,
  positions = 64,
  typeIds = false,
  mask = true,
}: TinyOptions) => {
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
      outputs: readonly OnnxValueInfo[],
      inputs: readonly OnnxValueInfo[] = [],
    ) =>
      buildOnnx({
        inputs: [...textPorts(typeIds, mask), ...inputs],
        outputs,
        nodes: [...maskNodes(mask), ...encoderNodes(typeIds), ...nodes],
        initializers: { ...tensors, ...shapes, ...more },
      }),
  }
}

const textPorts = (typeIds: boolean, mask: boolean): OnnxValueInfo[] =>
  ['input_ids', ...(mask ? ['attention_mask'] : []), ...(typeIds ? ['token_type_ids'] : [])].map((name) => ({
    name,
    type: 'INT64',
    shape: ['batch', 'sequence'],
  }))

const shapes = { zero: int64([0]), one: int64([1]), two: int64([2]) }

const maskNodes = (given: boolean): OnnxNode[] =>
  given
    ? [node('Cast', ['attention_mask'], ['mask'], { to: { int: 1 } })]
    : [
        node('Shape', ['input_ids'], ['size']),
        node('ConstantOfShape', ['size'], ['mask'], { value: { tensor: { shape: [1], data: Float32Array.of(1) } } }),
      ]

const encoderNodes = (typeIds: boolean): OnnxNode[] => [
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

export const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes?: OnnxNode['attributes'],
): OnnxNode => ({ op, inputs, outputs, ...(attributes && { attributes }) })

export const identity = (from: string, to: string): OnnxNode => node('Identity', [from], [to])
export const addBias = (to: string): OnnxNode => node('Add', ['product', 'bias'], [to])
export const port = (name: string, shape: readonly (number | string)[]): OnnxValueInfo => ({
  name,
  type: 'FP32',
  shape,
})

export const rows = (values: Float32Array, width: number): number[][] =>
  Array.from({ length: values.length / width }, (_, row) => [...values.subarray(row * width, (row + 1) * width)])

export const matrix = (values: Rows): OnnxTensor => ({
  shape: [values.length, values[0]!.length],
  data: Float32Array.from(values.flat()),
})

const plus = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((value, index) => value + right[index]!)

export const mean = (values: Rows): number[] =>
  values[0]!.map((_, column) => values.reduce((sum, row) => sum + row[column]!, 0) / values.length)

export const multiply = (row: readonly number[], by: Rows): number[] =>
  by[0]!.map((_, column) => row.reduce((sum, value, index) => sum + value * by[index]![column]!, 0))
