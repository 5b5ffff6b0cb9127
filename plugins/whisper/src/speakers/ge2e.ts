/**
 * GE2E (Wan et al., "Generalized End-to-End Loss for Speaker Verification", 2018), as Resemblyzer trained it: a mel
 * spectrogram, three LSTM layers, and a linear one behind the last state.
 */

import { buildOnnx, FormatError, int64, scalar } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor, TorchTensor } from '@sallyport/weights'
import { melFilters } from '../graph/mel-filters.js'
import { frame, hann, melSpectrum, node } from './spectrum.js'

const bands = 40
const width = 256
const layers = 3

type Weights = ReadonlyMap<string, TorchTensor>

/**
 * An ONNX graph from `samples` [batch, count] at 16 kHz to `vectors` [batch, 256] of length 1.
 * @param weights of Resemblyzer's `pretrained.pt`
 * @throws FormatError
 */
export const ge2eGraph = (weights: Weights): Uint8Array => {
  const window = hann(frame.length)
  const mel = melSpectrum({
    size: frame.length,
    prepare: (samples) => samples.map((value, index) => value * (window[index] ?? 0)),
    filters: melFilters(bands),
    padding: 0,
  })
  const parts = [mel, ...Array.from({ length: layers }, (_, layer) => lstm(weights, layer)), head(weights)]
  const toFrames = { ...node('Transpose', ['mel'], 'layer0'), attributes: { perm: { ints: [2, 0, 1] } } }
  const [spectrum, ...network] = parts
  return buildOnnx({
    inputs: [{ name: 'samples', type: 'FP32', shape: ['batch', 'count'] }],
    outputs: [{ name: 'vectors', type: 'FP32', shape: ['batch', width] }],
    nodes: [...(spectrum?.nodes ?? []), toFrames, ...network.flatMap(({ nodes }) => nodes)],
    initializers: Object.assign({}, ...parts.map(({ initializers }) => initializers)) as Record<string, OnnxTensor>,
  })
}

/** From `layer<n>` [frames, batch, width] to `layer<n + 1>` of that shape, and `last<n>` [1, batch, width]. */
const lstm = (weights: Weights, layer: number) => {
  const inputs = layer === 0 ? bands : width
  const of = (part: string, shape: readonly number[]) => take(weights, `lstm.${part}_l${layer}`, shape)
  const bias = new Float32Array(8 * width)
  bias.set(inOnnxOrder(of('bias_ih', [4 * width]), 1))
  bias.set(inOnnxOrder(of('bias_hh', [4 * width]), 1), 4 * width)
  const [w, r, b] = [`w${layer}`, `r${layer}`, `b${layer}`]
  const sequence: OnnxNode = {
    op: 'LSTM',
    inputs: [`layer${layer}`, w, r, b],
    outputs: [`steps${layer}`, `last${layer}`],
    attributes: { hidden_size: { int: width } },
  }
  return {
    nodes: [sequence, node('Squeeze', [`steps${layer}`, 'second'], `layer${layer + 1}`)],
    initializers: {
      [w]: { shape: [1, 4 * width, inputs], data: inOnnxOrder(of('weight_ih', [4 * width, inputs]), inputs) },
      [r]: { shape: [1, 4 * width, width], data: inOnnxOrder(of('weight_hh', [4 * width, width]), width) },
      [b]: { shape: [1, 8 * width], data: bias },
    },
  }
}

/** PyTorch keeps the gates as input, forget, cell, output; ONNX as input, output, forget, cell. */
const inOnnxOrder = (values: Float32Array, columns: number): Float32Array => {
  const block = width * columns
  const ordered = new Float32Array(values.length)
  for (const [to, from] of [0, 3, 1, 2].entries())
    ordered.set(values.subarray(from * block, (from + 1) * block), to * block)
  return ordered
}

const head = (weights: Weights) => ({
  nodes: [
    node('Squeeze', [`last${layers - 1}`, 'first'], 'state'),
    { ...node('Gemm', ['state', 'weight', 'bias'], 'linear'), attributes: { transB: { int: 1 } } },
    node('Relu', ['linear'], 'positive'),
    { ...node('ReduceL2', ['positive'], 'length'), attributes: { axes: { ints: [1] }, keepdims: { int: 1 } } },
    node('Max', ['length', 'least'], 'divisor'),
    node('Div', ['positive', 'divisor'], 'vectors'),
  ],
  initializers: {
    first: int64([0]),
    least: scalar(1e-6),
    weight: { shape: [width, width], data: take(weights, 'linear.weight', [width, width]) },
    bias: { shape: [width], data: take(weights, 'linear.bias', [width]) },
  },
})

const take = (weights: Weights, name: string, shape: readonly number[]): Float32Array => {
  const tensor = weights.get(`model_state.${name}`)
  if (tensor?.shape.join() === shape.join()) return tensor.values()
  throw new FormatError(`the weights are not those of GE2E: ${name} is missing or has another shape`)
}
