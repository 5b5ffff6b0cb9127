import type { AlignmentHead, NetworkShape } from '../weights/index.js'
import type { WhisperGraph } from './whisper-graph.js'

/**
 * Inputs: `tokens` [1, n], the next tokens; `read` [k], the indices of tokens after which logits are needed;
 * `past.<layer>.key` and `.value` [1, heads, before, width / heads] of the tokens before; and the encoder's outputs.
 * Outputs: `logits` [1, k, vocabulary]; `present.<layer>.key` and `.value`, the past of the next step; `alignment`
 * [1, alignment heads, n, positions], the cross-attention of each token.
 * @throws FormatError
 */
export const decoderGraph = (
  graph: WhisperGraph,
  shape: NetworkShape,
  alignmentHeads: readonly AlignmentHead[],
): Uint8Array => {
  const { width, vocabulary, decoder } = shape
  const weight = graph.weights('decoder.token_embedding.weight', vocabulary, width)
  const embedding = graph.matrices.table(graph, { weight, rows: vocabulary, columns: width })
  let value = graph.op('Add', [embedding.rows('tokens'), positions(graph, shape)])
  const mask = causalMask(graph)
  const alignments: string[] = []
  for (let layer = 0; layer < decoder.layers; layer += 1) {
    const name = `decoder.blocks.${layer}`
    value = selfAttention(graph, value, layer, mask, shape)
    const crossed = crossAttention(graph, value, layer, shape)
    value = graph.feedForward(crossed.value, name, width)
    const splitHeads = alignmentHeads.filter((one) => one.layer === layer).map(({ head }) => head)
    if (splitHeads.length)
      alignments.push(graph.op('Gather', [crossed.weights, graph.integers(...splitHeads)], { axis: { int: 1 } }))
  }
  graph.name(graph.op('Concat', alignments, { axis: { int: 1 } }), 'alignment')
  const last = graph.layerNorm(graph.op('Gather', [value, 'read'], { axis: { int: 1 } }), 'decoder.ln', width)
  graph.name(embedding.linear(last), 'logits')
  return graph.finish(inputsOf(shape), outputsOf(shape, alignmentHeads.length))
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const cache = (prefix: string, length: string, { width, decoder }: NetworkShape) =>
  range(decoder.layers).flatMap((layer) =>
    ['key', 'value'].map((part) => ({
      name: `${prefix}.${layer}.${part}`,
      type: 'FP32' as const,
      shape: [1, decoder.heads, length, width / decoder.heads],
    })),
  )

const inputsOf = (shape: NetworkShape) => [
  { name: 'tokens', type: 'INT64' as const, shape: [1, 'length'] },
  { name: 'read', type: 'INT64' as const, shape: ['read'] },
  ...cache('past', 'before', shape),
  ...cache('cross', 'positions', shape).map((port) => ({
    ...port,
    shape: port.name.endsWith('key') ? [1, port.shape[1] ?? 1, port.shape[3] ?? 1, 'positions'] : port.shape,
  })),
]

const outputsOf = (shape: NetworkShape, alignmentHeads: number) => [
  { name: 'logits', type: 'FP32' as const, shape: [1, 'read', shape.vocabulary] },
  ...cache('present', 'total', shape),
  { name: 'alignment', type: 'FP32' as const, shape: [1, alignmentHeads, 'length', 'positions'] },
]

/** [1]: the number of tokens in the cache; `total` adds the new ones. */
const before = (graph: WhisperGraph) => graph.op('Shape', ['past.0.key'], { start: { int: 2 }, end: { int: 3 } })
const total = (graph: WhisperGraph) =>
  graph.op('Add', [before(graph), graph.op('Shape', ['tokens'], { start: { int: 1 }, end: { int: 2 } })])

const positions = (graph: WhisperGraph, { tokens, width }: NetworkShape): string => {
  const all = graph.floats(graph.weights('decoder.positional_embedding', tokens, width), tokens, width)
  return graph.op('Slice', [all, before(graph), total(graph), graph.integers(0)])
}

/** [n, total]: 0 for tokens that a token may attend to, and very low for later ones. */
const causalMask = (graph: WhisperGraph): string => {
  const number = (value: string) => graph.op('Squeeze', [value])
  const [zero, one] = [graph.integer(0), graph.integer(1)]
  const all = number(total(graph))
  const rows = graph.op('Unsqueeze', [graph.op('Range', [number(before(graph)), all, one]), graph.integers(1)])
  const later = graph.op('Greater', [graph.op('Range', [zero, all, one]), rows])
  return graph.op('Where', [later, graph.number(-1e9), graph.number(0)])
}

const selfAttention = (
  graph: WhisperGraph,
  value: string,
  layer: number,
  mask: string,
  { width, decoder }: NetworkShape,
): string => {
  const name = `decoder.blocks.${layer}.attn`
  const norm = graph.layerNorm(value, `${name}_ln`, width)
  const project = (part: string) =>
    heads(graph, graph.linear(norm, `${name}.${part}`, width, width), width, decoder.heads)
  const withPast = (part: string) => {
    const all = graph.op('Concat', [`past.${layer}.${part}`, project(part)], { axis: { int: 2 } })
    graph.name(all, `present.${layer}.${part}`)
    return all
  }
  const keys = graph.op('Transpose', [withPast('key')], { perm: { ints: [0, 1, 3, 2] } })
  const scores = graph.op('MatMul', [scaled(graph, project('query'), width / decoder.heads), keys])
  const weights = graph.op('Softmax', [graph.op('Add', [scores, mask])], { axis: { int: -1 } })
  const attended = joinHeads(graph, graph.op('MatMul', [weights, withPast('value')]), width)
  return graph.op('Add', [value, graph.linear(attended, `${name}.out`, width, width)])
}

const crossAttention = (graph: WhisperGraph, value: string, layer: number, { width, decoder }: NetworkShape) => {
  const name = `decoder.blocks.${layer}.cross_attn`
  const norm = graph.layerNorm(value, `${name}_ln`, width)
  const query = heads(graph, graph.linear(norm, `${name}.query`, width, width), width, decoder.heads)
  const scores = graph.op('MatMul', [scaled(graph, query, width / decoder.heads), `cross.${layer}.key`])
  const weights = graph.op('Softmax', [scores], { axis: { int: -1 } })
  const attended = joinHeads(graph, graph.op('MatMul', [weights, `cross.${layer}.value`]), width)
  return { weights, value: graph.op('Add', [value, graph.linear(attended, `${name}.out`, width, width)]) }
}

/** Reshapes [1, n, width] to [1, heads, n, width / heads]. */
const heads = (graph: WhisperGraph, flat: string, width: number, count: number): string =>
  graph.op('Transpose', [graph.op('Reshape', [flat, graph.integers(0, 0, count, width / count)])], {
    perm: { ints: [0, 2, 1, 3] },
  })

const joinHeads = (graph: WhisperGraph, value: string, width: number): string =>
  graph.op('Reshape', [graph.op('Transpose', [value], { perm: { ints: [0, 2, 1, 3] } }), graph.integers(0, 0, width)])

const scaled = (graph: WhisperGraph, query: string, size: number): string =>
  graph.op('Mul', [query, graph.number(size ** -0.5)])
