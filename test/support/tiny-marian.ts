/**
 * A Marian model with one layer and weights from a seed: as two ONNX graphs in the form of exporters, and the same
 * computation in plain JavaScript, without a cache.
 */

import { buildOnnx, int64, scalar } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor, OnnxValueInfo } from '@sallyport/weights'

const [heads, size, positions] = [2, 4, 64]
const width = heads * size

type Rows = number[][]

/** Numbers between -1 and 1. */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state / 2 ** 32) * 2 - 1
  }
}

const tensorOf = (rows: Rows): OnnxTensor => ({
  shape: [rows.length, rows[0]!.length],
  data: Float32Array.from(rows.flat()),
})

const node = (op: string, inputs: string[], outputs: string[], attributes?: OnnxNode['attributes']): OnnxNode => ({
  op,
  inputs,
  outputs,
  ...(attributes && { attributes }),
})
const ids = (name: string): OnnxValueInfo => ({ name, type: 'INT64', shape: ['batch', `${name}_length`] })
const floats = (name: string, shape: OnnxValueInfo['shape']): OnnxValueInfo => ({ name, type: 'FP32', shape })

const weightsOf = (vocabulary: number, seed: number) => {
  const next = numbers(seed)
  const matrix = (height: number, columns: number, scale = 1): Rows =>
    Array.from({ length: height }, () => Array.from({ length: columns }, () => next() * scale))
  return {
    words: matrix(vocabulary, width),
    mixer: matrix(width, width),
    targets: matrix(vocabulary, width),
    places: matrix(positions, width),
    ...{ query: matrix(width, width), key: matrix(width, width), value: matrix(width, width) },
    ...{ crossQuery: matrix(width, width), crossKey: matrix(width, width), crossValue: matrix(width, width) },
    output: matrix(width, vocabulary, 3),
  }
}

type Weights = ReturnType<typeof weightsOf>

const encoderOf = ({ words, mixer }: Weights): Uint8Array =>
  buildOnnx({
    inputs: [ids('input_ids'), ids('attention_mask')],
    outputs: [floats('last_hidden_state', ['batch', 'length', width])],
    initializers: { words: tensorOf(words), mixer: tensorOf(mixer), one: int64([1]), two: int64([2]) },
    nodes: [
      node('Gather', ['words', 'input_ids'], ['read']),
      node('Cast', ['attention_mask'], ['mask'], { to: { int: 1 } }),
      node('Unsqueeze', ['mask', 'two'], ['weights']),
      node('Mul', ['read', 'weights'], ['masked']),
      node('ReduceSum', ['masked', 'one'], ['sum'], { keepdims: { int: 1 } }),
      node('ReduceSum', ['weights', 'one'], ['count'], { keepdims: { int: 1 } }),
      node('Div', ['sum', 'count'], ['mean']),
      node('Add', ['read', 'mean'], ['mixed']),
      node('MatMul', ['mixed', 'mixer'], ['turned']),
      node('Tanh', ['turned'], ['last_hidden_state']),
    ],
  })

/** [batch, length, width] times weights as [batch, heads, length, size]. */
const projected = (from: string, weights: string, to: string): OnnxNode[] => [
  node('MatMul', [from, weights], [`${to}.flat`]),
  node('Reshape', [`${to}.flat`, 'split'], [`${to}.split`]),
  node('Transpose', [`${to}.split`], [to], { perm: { ints: [0, 2, 1, 3] } }),
]

/** Under a mask that is added to the scores. */
const attention = (query: string, key: string, value: string, mask: string, to: string): OnnxNode[] => [
  node('Transpose', [key], [`${to}.turned`], { perm: { ints: [0, 1, 3, 2] } }),
  node('MatMul', [query, `${to}.turned`], [`${to}.scores`]),
  node('Add', [`${to}.scores`, mask], [`${to}.masked`]),
  node('Softmax', [`${to}.masked`], [`${to}.weights`], { axis: { int: -1 } }),
  node('MatMul', [`${to}.weights`, value], [`${to}.heads`]),
  node('Transpose', [`${to}.heads`], [`${to}.back`], { perm: { ints: [0, 2, 1, 3] } }),
  node('Reshape', [`${to}.back`, 'joined'], [to]),
]

const lengthOf = (of: string, axis: number, to: string): OnnxNode =>
  node('Shape', [of], [to], { start: { int: axis }, end: { int: axis + 1 } })

const pastNames = ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']

/** With a cache: what is asked for the encoder's keys and values in later steps is empty. */
const decoderOf = ({ targets, places, query, key, value, ...weights }: Weights): Uint8Array =>
  buildOnnx({
    inputs: [
      ids('encoder_attention_mask'),
      ids('input_ids'),
      floats('encoder_hidden_states', ['batch', 'encoder_attention_mask_length', width]),
      ...pastNames.map((name) => floats(`past_key_values.0.${name}`, ['batch', heads, `past.${name}`, size])),
      { name: 'use_cache_branch', type: 'BOOL', shape: [1] },
    ],
    outputs: [
      floats('logits', ['batch', 'input_ids_length', targets.length]),
      ...pastNames.map((name) => floats(`present.0.${name}`, ['batch', heads, `present.${name}`, size])),
    ],
    initializers: {
      ...{ targets: tensorOf(targets), places: tensorOf(places), query: tensorOf(query), key: tensorOf(key) },
      ...{ value: tensorOf(value), crossQuery: tensorOf(weights.crossQuery), crossKey: tensorOf(weights.crossKey) },
      ...{ crossValue: tensorOf(weights.crossValue), output: tensorOf(weights.output) },
      ...{ split: int64([0, 0, heads, size]), joined: int64([0, 0, width]), zero: int64([0]), one: int64([1]) },
      ...{ noAxes: int64([]), zeroth: int64(0), first: int64(1), inner: int64([1, 2]) },
      ...{ unit: scalar(1), lowest: scalar(-1e9), nothing: scalar(0) },
    },
    nodes: [...selfNodes, ...crossNodes],
  })

const selfNodes: OnnxNode[] = [
  lengthOf('past_key_values.0.decoder.key', 2, 'past'),
  lengthOf('input_ids', 1, 'length'),
  node('Add', ['past', 'length'], ['total']),
  node('Slice', ['places', 'past', 'total', 'zero'], ['placed']),
  node('Gather', ['targets', 'input_ids'], ['read']),
  node('Add', ['read', 'placed'], ['states']),
  ...projected('states', 'query', 'queries'),
  ...projected('states', 'key', 'newKeys'),
  ...projected('states', 'value', 'newValues'),
  node('Concat', ['past_key_values.0.decoder.key', 'newKeys'], ['present.0.decoder.key'], { axis: { int: 2 } }),
  node('Concat', ['past_key_values.0.decoder.value', 'newValues'], ['present.0.decoder.value'], { axis: { int: 2 } }),
  // nothing that comes later is seen
  ...['past', 'total'].map((name) => node('Reshape', [name, 'noAxes'], [`${name}.number`])),
  node('Range', ['past.number', 'total.number', 'first'], ['row']),
  node('Unsqueeze', ['row', 'one'], ['rows']),
  node('Range', ['zeroth', 'total.number', 'first'], ['columns']),
  node('LessOrEqual', ['columns', 'rows'], ['seen']),
  node('Where', ['seen', 'nothing', 'lowest'], ['causal']),
  ...attention('queries', 'present.0.decoder.key', 'present.0.decoder.value', 'causal', 'self'),
  node('Add', ['states', 'self'], ['attended']),
]

const crossNodes: OnnxNode[] = [
  lengthOf('encoder_hidden_states', 1, 'sourceLength'),
  node('Cast', ['use_cache_branch'], ['cached'], { to: { int: 7 } }),
  node('Sub', ['one', 'cached'], ['fresh']),
  node('Mul', ['sourceLength', 'fresh'], ['computed']),
  node('Slice', ['encoder_hidden_states', 'zero', 'computed', 'one'], ['sourceStates']),
  ...projected('sourceStates', 'crossKey', 'present.0.encoder.key'),
  ...projected('sourceStates', 'crossValue', 'present.0.encoder.value'),
  ...['key', 'value'].map((name) =>
    node('Concat', [`past_key_values.0.encoder.${name}`, `present.0.encoder.${name}`], [`source.${name}`], {
      axis: { int: 2 },
    }),
  ),
  node('Cast', ['encoder_attention_mask'], ['sourceMask'], { to: { int: 1 } }),
  node('Sub', ['unit', 'sourceMask'], ['absent']),
  node('Mul', ['absent', 'lowest'], ['hidden']),
  node('Unsqueeze', ['hidden', 'inner'], ['sourceHidden']),
  ...projected('attended', 'crossQuery', 'crossQueries'),
  ...attention('crossQueries', 'source.key', 'source.value', 'sourceHidden', 'cross'),
  node('Add', ['attended', 'cross'], ['summed']),
  node('Tanh', ['summed'], ['final']),
  node('MatMul', ['final', 'output'], ['logits']),
]

const plus = (a: number[], b: number[]) => a.map((value, index) => value + b[index]!)
const times = (row: number[], by: Rows) =>
  by[0]!.map((_, column) => row.reduce((sum, value, index) => sum + value * by[index]![column]!, 0))

const attend = (query: number[], keys: Rows, values: Rows): number[] =>
  Array.from({ length: heads }, (_, head) => {
    const part = (row: number[]) => row.slice(head * size, (head + 1) * size)
    const scores = keys.map((key) => part(key).reduce((sum, value, index) => sum + value * part(query)[index]!, 0))
    const exps = scores.map((score) => Math.exp(score - Math.max(...scores)))
    const total = exps.reduce((sum, value) => sum + value, 0)
    return part(query).map((_value, index) =>
      values.reduce((sum, value, place) => sum + (part(value)[index]! * exps[place]!) / total, 0),
    )
  }).flat()

export interface TinyMarian {
  readonly encoder: Uint8Array
  readonly decoder: Uint8Array
  /** Log-probabilities of the token behind a beginning of a translation, by id. */
  readonly next: (source: readonly number[], beginning: readonly number[]) => number[]
}

export const tinyMarian = (vocabulary: number, seed: number): TinyMarian => {
  const weights = weightsOf(vocabulary, seed)
  const next = (source: readonly number[], beginning: readonly number[]): number[] => {
    const read = source.map((id) => weights.words[id]!)
    const mean = read[0]!.map((_, column) => read.reduce((sum, row) => sum + row[column]!, 0) / read.length)
    const encoded = read.map((row) => times(plus(row, mean), weights.mixer).map(Math.tanh))
    const states = beginning.map((id, place) => plus(weights.targets[id]!, weights.places[place]!))
    const project = (rows: Rows, by: Rows) => rows.map((row) => times(row, by))
    const query = times(states.at(-1)!, weights.query)
    const self = attend(query, project(states, weights.key), project(states, weights.value))
    const attended = plus(states.at(-1)!, self)
    const crossQuery = times(attended, weights.crossQuery)
    const cross = attend(crossQuery, project(encoded, weights.crossKey), project(encoded, weights.crossValue))
    const logits = times(plus(attended, cross).map(Math.tanh), weights.output)
    const most = Math.max(...logits)
    const total = most + Math.log(logits.reduce((sum, value) => sum + Math.exp(value - most), 0))
    return logits.map((value) => value - total)
  }
  return { encoder: encoderOf(weights), decoder: decoderOf(weights), next }
}
