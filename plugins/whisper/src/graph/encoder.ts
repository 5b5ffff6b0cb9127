import type { NetworkShape } from '../weights/index.js'
import type { GraphBuilder } from './builder.js'
import { frame, hann, melFilters, melSpectrum } from './spectrum.js'
import type { WhisperGraph } from './whisper-graph.js'

/**
 * Input `samples` [1, 1, 320 n], 30 seconds or fewer. Outputs for each of the decoder's layers what it attends to:
 * `cross.<layer>.key` [1, heads, width / heads, n], transposed for products, and `cross.<layer>.value` [1, heads, n,
 * width / heads].
 * @throws FormatError
 */
export const encoderGraph = (graph: WhisperGraph, shape: NetworkShape): Uint8Array => {
  const { width, mels, encoder, decoder } = shape
  const convolved = convolve(graph, logMel(graph, 'samples', mels), shape)
  let value = graph.op('Transpose', [convolved], { perm: { ints: [0, 2, 1] } })
  value = graph.op('Add', [value, positions(graph, value, shape)])
  for (let layer = 0; layer < encoder.layers; layer += 1) {
    const name = `encoder.blocks.${layer}`
    value = graph.feedForward(attention(graph, value, name, shape), name, width)
  }
  const states = graph.layerNorm(value, 'encoder.ln_post', width)
  const outputs = range(decoder.layers).flatMap((layer) => crossKeysAndValues(graph, states, layer, shape))
  return graph.finish([{ name: 'samples', type: 'FP32', shape: [1, 1, 'length'] }], outputs)
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const convolve = (graph: WhisperGraph, spectrogram: string, { width, mels }: NetworkShape): string => {
  let value = spectrogram
  for (const [name, channels, step] of [
    ['encoder.conv1', mels, 1],
    ['encoder.conv2', width, 2],
  ] as const) {
    const weight = graph.floats(graph.weights(`${name}.weight`, width, channels, 3), width, channels, 3)
    const bias = graph.floats(graph.weights(`${name}.bias`, width), width)
    const attributes = { pads: { ints: [1, 1] }, strides: { ints: [step] } }
    value = graph.ownOp('Gelu', [graph.op('Conv', [value, weight, bias], attributes)])
  }
  return value
}

/** The positional embeddings of the first vectors: [n, width]. */
const positions = (graph: WhisperGraph, value: string, { positions: count, width }: NetworkShape): string => {
  const all = graph.floats(graph.weights('encoder.positional_embedding', count, width), count, width)
  const length = graph.op('Shape', [value], { start: { int: 1 }, end: { int: 2 } })
  return graph.op('Slice', [all, graph.integers(0), length, graph.integers(0)])
}

const attention = (graph: WhisperGraph, value: string, name: string, { width, encoder }: NetworkShape): string => {
  const norm = graph.layerNorm(value, `${name}.attn_ln`, width)
  const parts = ['query', 'key', 'value'].map((part) => graph.linear(norm, `${name}.attn.${part}`, width, width))
  const attended = graph.ownOp('MultiHeadAttention', parts, { num_heads: { int: encoder.heads } })
  return graph.op('Add', [value, graph.linear(attended, `${name}.attn.out`, width, width)])
}

const crossKeysAndValues = (graph: WhisperGraph, states: string, layer: number, { width, decoder }: NetworkShape) => {
  const { heads } = decoder
  const size = width / heads
  return (['key', 'value'] as const).map((part) => {
    const flat = graph.linear(states, `decoder.blocks.${layer}.cross_attn.${part}`, width, width)
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
  // frames are centred, and the one after the last is left out, as Whisper does
  const padding = graph.integers(0, 0, frame.length / 2, 0, 0, frame.length / 2 - frame.step)
  const padded = graph.op('Pad', [samples, padding], { mode: { text: 'reflect' } })
  const bands = melSpectrum(graph, padded, { size: frame.length, prepare: hann, filters: melFilters(mels) })
  const logarithms = graph.op('Mul', [
    graph.op('Log', [graph.op('Max', [bands, graph.number(1e-10)])]),
    graph.number(Math.LOG10E),
  ])
  const largest = graph.op('ReduceMax', [logarithms], { keepdims: { int: 0 } })
  const cut = graph.op('Max', [logarithms, graph.op('Sub', [largest, graph.number(8)])])
  return graph.op('Mul', [graph.op('Add', [cut, graph.number(4)]), graph.number(1 / 4)])
}
