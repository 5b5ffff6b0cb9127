import type { NetworkShape } from '../weights/index.js'
import type { GraphBuilder } from './builder.js'
import { logMel } from './log-mel.js'

/**
 * Input `samples` [1, 1, 320 n], 30 seconds or fewer. Outputs what the decoder attends to, for each of its layers:
 * `cross.<layer>.key` [1, heads, width / heads, n], turned for products, and `cross.<layer>.value` [1, heads, n,
 * width / heads].
 * @throws FormatError
 */
export const encoderGraph = (graph: GraphBuilder, shape: NetworkShape): Uint8Array => {
  const { width, mels, encoder, decoder } = shape
  const convolved = convolve(graph, logMel(graph, 'samples', mels), shape)
  let value = graph.op('Transpose', [convolved], { perm: { ints: [0, 2, 1] } })
  value = graph.op('Add', [value, positions(graph, value, shape)])
  for (let layer = 0; layer < encoder.layers; layer += 1) {
    const name = `encoder.blocks.${layer}`
    value = graph.feedForward(attention(graph, value, name, shape), name, width)
  }
  const states = graph.layerNorm(value, 'encoder.ln_post', width)
  const outputs = range(decoder.layers).flatMap((layer) => crossAttended(graph, states, layer, shape))
  return graph.finish([{ name: 'samples', type: 'FP32', shape: [1, 1, 'length'] }], outputs)
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const convolve = (graph: GraphBuilder, spectrogram: string, { width, mels }: NetworkShape): string => {
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

/** Those of the first vectors: [n, width]. */
const positions = (graph: GraphBuilder, value: string, { positions: count, width }: NetworkShape): string => {
  const all = graph.floats(graph.weights('encoder.positional_embedding', count, width), count, width)
  const length = graph.op('Shape', [value], { start: { int: 1 }, end: { int: 2 } })
  return graph.op('Slice', [all, graph.integers(0), length, graph.integers(0)])
}

const attention = (graph: GraphBuilder, value: string, name: string, { width, encoder }: NetworkShape): string => {
  const norm = graph.layerNorm(value, `${name}.attn_ln`, width)
  const parts = ['query', 'key', 'value'].map((part) => graph.linear(norm, `${name}.attn.${part}`, width, width))
  const attended = graph.ownOp('MultiHeadAttention', parts, { num_heads: { int: encoder.heads } })
  return graph.op('Add', [value, graph.linear(attended, `${name}.attn.out`, width, width)])
}

const crossAttended = (graph: GraphBuilder, states: string, layer: number, { width, decoder }: NetworkShape) => {
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
