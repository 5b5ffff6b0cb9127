/**
 * GE2E (Wan et al., "Generalized End-to-End Loss for Speaker Verification", 2018), as Resemblyzer trained it: a mel
 * spectrogram, three LSTM layers, and a linear layer on the last state.
 */

import { FormatError } from '@sallyport/weights'
import type { TorchTensor } from '@sallyport/weights'
import { GraphBuilder } from '../graph/builder.js'
import { frame, hann, melFilters, melSpectrum } from '../graph/spectrum.js'

const bands = 40
const hiddenSize = 256
const layers = 3

type Weights = ReadonlyMap<string, TorchTensor>

/**
 * Builds an ONNX graph from `samples` [batch, count] at 16 kHz to `embeddings` [batch, 256] of length 1.
 * @param weights of Resemblyzer's `pretrained.pt`
 * @throws FormatError
 */
export const ge2eGraph = (weights: Weights): Uint8Array => {
  const graph = new GraphBuilder()
  const signal = graph.op('Unsqueeze', ['samples', graph.integers(1)])
  const mel = melSpectrum(graph, signal, { fftSize: frame.length, prepare: hann, filters: melFilters(bands) })
  let sequence = graph.op('Transpose', [mel], { perm: { ints: [2, 0, 1] } })
  for (let layer = 0; layer < layers; layer += 1) sequence = lstm(graph, weights, sequence, layer)
  const last = graph.op('Gather', [sequence, graph.integer(-1)], { axis: { int: 0 } })
  const weight = graph.floats(weightsOf(weights, 'linear.weight', hiddenSize, hiddenSize), hiddenSize, hiddenSize)
  const bias = graph.floats(weightsOf(weights, 'linear.bias', hiddenSize), hiddenSize)
  const positive = graph.op('Relu', [graph.op('Gemm', [last, weight, bias], { transB: { int: 1 } })])
  const length = graph.op('ReduceL2', [positive], { axes: { ints: [1] }, keepdims: { int: 1 } })
  graph.name(graph.op('Div', [positive, graph.op('Max', [length, graph.number(1e-6)])]), 'embeddings')
  return graph.finish(
    [{ name: 'samples', type: 'FP32', shape: ['batch', 'count'] }],
    [{ name: 'embeddings', type: 'FP32', shape: ['batch', hiddenSize] }],
  )
}

/** A layer maps a sequence [frames, batch, inputs] to one [frames, batch, hiddenSize]. */
const lstm = (graph: GraphBuilder, weights: Weights, sequence: string, layer: number): string => {
  const inputs = layer === 0 ? bands : hiddenSize
  const ordered = (part: string, ...columns: readonly number[]) =>
    inOnnxOrder(weightsOf(weights, `lstm.${part}_l${layer}`, 4 * hiddenSize, ...columns), columns[0] ?? 1)
  const bias = new Float32Array(8 * hiddenSize)
  bias.set(ordered('bias_ih'))
  bias.set(ordered('bias_hh'), 4 * hiddenSize)
  const output = graph.op(
    'LSTM',
    [
      sequence,
      graph.floats(ordered('weight_ih', inputs), 1, 4 * hiddenSize, inputs),
      graph.floats(ordered('weight_hh', hiddenSize), 1, 4 * hiddenSize, hiddenSize),
      graph.floats(bias, 1, 8 * hiddenSize),
    ],
    { hidden_size: { int: hiddenSize } },
  )
  return graph.op('Squeeze', [output, graph.integers(1)])
}

/** PyTorch orders the gates input, forget, cell, output; ONNX orders them input, output, forget, cell. */
const inOnnxOrder = (values: Float32Array, columns: number): Float32Array => {
  const block = hiddenSize * columns
  const ordered = new Float32Array(values.length)
  for (const [to, from] of [0, 3, 1, 2].entries())
    ordered.set(values.subarray(from * block, (from + 1) * block), to * block)
  return ordered
}

const weightsOf = (weights: Weights, name: string, ...shape: readonly number[]): Float32Array => {
  const tensor = weights.get(`model_state.${name}`)
  if (tensor?.shape.join() === shape.join()) return tensor.values()
  throw new FormatError(`the weights are not those of GE2E: ${name} is missing or has another shape`)
}
