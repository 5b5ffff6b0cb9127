import type { OnnxValueInfo } from '@sallyport/weights'
import type { ModelDimensions } from '../weights/index.js'
import type { GraphBuilder } from './builder.js'
import { frame, hann, melFilters, melSpectrum } from './spectrum.js'
import type { WhisperGraphBuilder } from './whisper-graph-builder.js'

/**
 * Input `samples` [1, 1, 320 n], 30 seconds or less. Outputs, for each of the decoder's layers, the keys and
 * values of its cross-attention: `cross.<layer>.key` [1, heads, hiddenSize / heads, n], transposed for products, and
 * `cross.<layer>.value` [1, heads, n, hiddenSize / heads].
 * @throws FormatError
 */
export const encoderGraph = (graph: WhisperGraphBuilder): Uint8Array => {
  const { mels, encoder, decoder } = graph.dimensions
  const convolved = convolve(graph, logMel(graph, 'samples', mels))
  let value = graph.op('Transpose', [convolved], { perm: { ints: [0, 2, 1] } })
  value = graph.op('Add', [value, positions(graph, value)])
  for (let layer = 0; layer < encoder.layers; layer += 1) {
    const name = `encoder.blocks.${layer}`
    value = graph.feedForward(attention(graph, value, name), name)
  }
  const states = graph.layerNorm(value, 'encoder.ln_post')
  for (let layer = 0; layer < decoder.layers; layer += 1) crossKeysAndValues(graph, states, layer)
  return graph.finish([{ name: 'samples', type: 'FP32', shape: [1, 1, 'length'] }], crossPorts(graph.dimensions))
}

/** The outputs, which are inputs of the decoder. */
export const crossPorts = ({ hiddenSize, decoder: { layers, heads } }: ModelDimensions): OnnxValueInfo[] =>
  Array.from({ length: layers }, (_, layer): OnnxValueInfo[] => [
    { name: `cross.${layer}.key`, type: 'FP32', shape: [1, heads, hiddenSize / heads, 'positions'] },
    { name: `cross.${layer}.value`, type: 'FP32', shape: [1, heads, 'positions', hiddenSize / heads] },
  ]).flat()

const convolve = (graph: WhisperGraphBuilder, spectrogram: string): string => {
  const { hiddenSize, mels } = graph.dimensions
  let value = spectrogram
  for (const [name, channels, stride] of [
    ['encoder.conv1', mels, 1],
    ['encoder.conv2', hiddenSize, 2],
  ] as const) {
    const weight = graph.tensor(`${name}.weight`, hiddenSize, channels, 3)
    const bias = graph.tensor(`${name}.bias`, hiddenSize)
    const attributes = { pads: { ints: [1, 1] }, strides: { ints: [stride] } }
    value = graph.contribOp('Gelu', [graph.op('Conv', [value, weight, bias], attributes)])
  }
  return value
}

/** The positional embeddings of the vectors: [n, hiddenSize]. */
const positions = (graph: WhisperGraphBuilder, value: string): string => {
  const { positions: count, hiddenSize } = graph.dimensions
  const all = graph.tensor('encoder.positional_embedding', count, hiddenSize)
  const length = graph.op('Shape', [value], { start: { int: 1 }, end: { int: 2 } })
  return graph.op('Slice', [all, graph.integers(0), length, graph.integers(0)])
}

const attention = (graph: WhisperGraphBuilder, value: string, name: string): string => {
  const norm = graph.layerNorm(value, `${name}.attn_ln`)
  const parts = ['query', 'key', 'value'].map((part) => graph.linear(norm, `${name}.attn.${part}`))
  const heads = { num_heads: { int: graph.dimensions.encoder.heads } }
  const attended = graph.contribOp('MultiHeadAttention', parts, heads)
  return graph.op('Add', [value, graph.linear(attended, `${name}.attn.out`)])
}

const crossKeysAndValues = (graph: WhisperGraphBuilder, states: string, layer: number): void => {
  const { hiddenSize, decoder } = graph.dimensions
  for (const [part, perm] of [
    ['key', [0, 2, 3, 1]],
    ['value', [0, 2, 1, 3]],
  ] as const) {
    const flat = graph.linear(states, `decoder.blocks.${layer}.cross_attn.${part}`)
    const split = graph.op('Reshape', [flat, graph.integers(0, 0, decoder.heads, hiddenSize / decoder.heads)])
    graph.name(graph.op('Transpose', [split], { perm: { ints: perm } }), `cross.${layer}.${part}`)
  }
}

/**
 * Whisper's log-mel spectrogram [1, mels, n] of samples [1, 1, 160 n] at 16 kHz, between about -1 and 1: powers in mel
 * bands, and their logarithms within 80 dB of the largest.
 */
export const logMel = (graph: GraphBuilder, samples: string, mels: number): string => {
  // frames are centred, and the last one is left out, as in Whisper
  const padding = graph.integers(0, 0, frame.length / 2, 0, 0, frame.length / 2 - frame.hop)
  const padded = graph.op('Pad', [samples, padding], { mode: { string: 'reflect' } })
  const bands = melSpectrum(graph, padded, { fftSize: frame.length, prepare: hann, filters: melFilters(mels) })
  const logarithms = graph.op('Mul', [
    graph.op('Log', [graph.op('Max', [bands, graph.number(1e-10)])]),
    graph.number(Math.LOG10E),
  ])
  const largest = graph.op('ReduceMax', [logarithms], { keepdims: { int: 0 } })
  const cut = graph.op('Max', [logarithms, graph.op('Sub', [largest, graph.number(8)])])
  return graph.op('Mul', [graph.op('Add', [cut, graph.number(4)]), graph.number(1 / 4)])
}
