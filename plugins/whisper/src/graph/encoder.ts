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
export const encoderGraph = (graph: WhisperGraphBuilder, dimensions: ModelDimensions): Uint8Array => {
  const { hiddenSize, mels, encoder, decoder } = dimensions
  const convolved = convolve(graph, logMel(graph, 'samples', mels), dimensions)
  let value = graph.op('Transpose', [convolved], { perm: { ints: [0, 2, 1] } })
  value = graph.op('Add', [value, positions(graph, value, dimensions)])
  for (let layer = 0; layer < encoder.layers; layer += 1) {
    const name = `encoder.blocks.${layer}`
    value = graph.feedForward(attention(graph, value, name, dimensions), name, hiddenSize)
  }
  const states = graph.layerNorm(value, 'encoder.ln_post', hiddenSize)
  const outputs = range(decoder.layers).flatMap((layer) => crossKeysAndValues(graph, states, layer, dimensions))
  return graph.finish([{ name: 'samples', type: 'FP32', shape: [1, 1, 'length'] }], outputs)
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const convolve = (graph: WhisperGraphBuilder, spectrogram: string, { hiddenSize, mels }: ModelDimensions): string => {
  let value = spectrogram
  for (const [name, channels, stride] of [
    ['encoder.conv1', mels, 1],
    ['encoder.conv2', hiddenSize, 2],
  ] as const) {
    const weight = graph.floats(graph.weights(`${name}.weight`, hiddenSize, channels, 3), hiddenSize, channels, 3)
    const bias = graph.floats(graph.weights(`${name}.bias`, hiddenSize), hiddenSize)
    const attributes = { pads: { ints: [1, 1] }, strides: { ints: [stride] } }
    value = graph.contribOp('Gelu', [graph.op('Conv', [value, weight, bias], attributes)])
  }
  return value
}

/** The positional embeddings of the first vectors: [n, width]. */
const positions = (
  graph: WhisperGraphBuilder,
  value: string,
  { positions: count, hiddenSize }: ModelDimensions,
): string => {
  const all = graph.floats(graph.weights('encoder.positional_embedding', count, hiddenSize), count, hiddenSize)
  const length = graph.op('Shape', [value], { start: { int: 1 }, end: { int: 2 } })
  return graph.op('Slice', [all, graph.integers(0), length, graph.integers(0)])
}

const attention = (
  graph: WhisperGraphBuilder,
  value: string,
  name: string,
  { hiddenSize, encoder }: ModelDimensions,
): string => {
  const norm = graph.layerNorm(value, `${name}.attn_ln`, hiddenSize)
  const parts = ['query', 'key', 'value'].map((part) =>
    graph.linear(norm, `${name}.attn.${part}`, hiddenSize, hiddenSize),
  )
  const attended = graph.contribOp('MultiHeadAttention', parts, { num_heads: { int: encoder.heads } })
  return graph.op('Add', [value, graph.linear(attended, `${name}.attn.out`, hiddenSize, hiddenSize)])
}

const crossKeysAndValues = (
  graph: WhisperGraphBuilder,
  states: string,
  layer: number,
  { hiddenSize, decoder }: ModelDimensions,
) => {
  const { heads } = decoder
  const size = hiddenSize / heads
  return (['key', 'value'] as const).map((part) => {
    const flat = graph.linear(states, `decoder.blocks.${layer}.cross_attn.${part}`, hiddenSize, hiddenSize)
    const split = graph.op('Reshape', [flat, graph.integers(0, 0, heads, size)])
    const name = `cross.${layer}.${part}`
    graph.name(graph.op('Transpose', [split], { perm: { ints: part === 'key' ? [0, 2, 3, 1] : [0, 2, 1, 3] } }), name)
    const shape = part === 'key' ? [1, heads, size, 'positions'] : [1, heads, 'positions', size]
    return { name, type: 'FP32' as const, shape }
  })
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
