import type { AlignmentHead, ModelDimensions } from '../weights/index.js'
import type { WhisperGraphBuilder } from './whisper-graph-builder.js'

/**
 * Inputs: `tokens` [1, n], the next tokens; `logitIndices` [k], the indices of tokens after which logits are needed;
 * `past.<layer>.key` and `.value` [1, heads, pastLength, hiddenSize / heads] of earlier tokens; and the encoder's
 * outputs. Outputs: `logits` [1, k, vocabulary]; `present.<layer>.key` and `.value`, the past of the next run;
 * `alignment` [1, alignment heads, n, positions], the cross-attention of each token.
 * @throws FormatError
 */
export const decoderGraph = (
  graph: WhisperGraphBuilder,
  dimensions: ModelDimensions,
  alignmentHeads: readonly AlignmentHead[],
): Uint8Array => {
  const { hiddenSize, vocabularySize, decoder } = dimensions
  const weight = graph.weights('decoder.token_embedding.weight', vocabularySize, hiddenSize)
  const embedding = graph.matrixFormat.embedding(graph, { weight, rows: vocabularySize, columns: hiddenSize })
  let value = graph.op('Add', [embedding.rows('tokens'), positions(graph, dimensions)])
  const mask = causalMask(graph)
  const alignments: string[] = []
  for (let layer = 0; layer < decoder.layers; layer += 1) {
    const name = `decoder.blocks.${layer}`
    value = selfAttention(graph, value, layer, mask, dimensions)
    const crossed = crossAttention(graph, value, layer, dimensions)
    value = graph.feedForward(crossed.value, name, hiddenSize)
    const headsOfLayer = alignmentHeads.filter((each) => each.layer === layer).map(({ head }) => head)
    if (headsOfLayer.length)
      alignments.push(graph.op('Gather', [crossed.weights, graph.integers(...headsOfLayer)], { axis: { int: 1 } }))
  }
  graph.name(graph.op('Concat', alignments, { axis: { int: 1 } }), 'alignment')
  const last = graph.layerNorm(
    graph.op('Gather', [value, 'logitIndices'], { axis: { int: 1 } }),
    'decoder.ln',
    hiddenSize,
  )
  graph.name(embedding.linear(last), 'logits')
  return graph.finish(inputsOf(dimensions), outputsOf(dimensions, alignmentHeads.length))
}

const range = (length: number) => Array.from({ length }, (_, index) => index)

const cache = (prefix: string, length: string, { hiddenSize, decoder }: ModelDimensions) =>
  range(decoder.layers).flatMap((layer) =>
    ['key', 'value'].map((part) => ({
      name: `${prefix}.${layer}.${part}`,
      type: 'FP32' as const,
      shape: [1, decoder.heads, length, hiddenSize / decoder.heads],
    })),
  )

const inputsOf = (dimensions: ModelDimensions) => [
  { name: 'tokens', type: 'INT64' as const, shape: [1, 'length'] },
  { name: 'logitIndices', type: 'INT64' as const, shape: ['logits'] },
  ...cache('past', 'pastLength', dimensions),
  ...cache('cross', 'positions', dimensions).map((port) => ({
    ...port,
    shape: port.name.endsWith('key') ? [1, port.shape[1] ?? 1, port.shape[3] ?? 1, 'positions'] : port.shape,
  })),
]

const outputsOf = (dimensions: ModelDimensions, alignmentHeads: number) => [
  { name: 'logits', type: 'FP32' as const, shape: [1, 'logits', dimensions.vocabularySize] },
  ...cache('present', 'totalLength', dimensions),
  { name: 'alignment', type: 'FP32' as const, shape: [1, alignmentHeads, 'length', 'positions'] },
]

/** [1]: the number of tokens in the cache; {@link totalLength} adds the new ones. */
const pastLength = (graph: WhisperGraphBuilder) =>
  graph.op('Shape', ['past.0.key'], { start: { int: 2 }, end: { int: 3 } })
const totalLength = (graph: WhisperGraphBuilder) =>
  graph.op('Add', [pastLength(graph), graph.op('Shape', ['tokens'], { start: { int: 1 }, end: { int: 2 } })])

const positions = (graph: WhisperGraphBuilder, { contextLength, hiddenSize }: ModelDimensions): string => {
  const all = graph.floats(
    graph.weights('decoder.positional_embedding', contextLength, hiddenSize),
    contextLength,
    hiddenSize,
  )
  return graph.op('Slice', [all, pastLength(graph), totalLength(graph), graph.integers(0)])
}

/** [n, totalLength]: 0 for tokens that a token may attend to, and a very low number for later ones. */
const causalMask = (graph: WhisperGraphBuilder): string => {
  const scalar = (value: string) => graph.op('Squeeze', [value])
  const [zero, one] = [graph.integer(0), graph.integer(1)]
  const all = scalar(totalLength(graph))
  const rows = graph.op('Unsqueeze', [graph.op('Range', [scalar(pastLength(graph)), all, one]), graph.integers(1)])
  const later = graph.op('Greater', [graph.op('Range', [zero, all, one]), rows])
  return graph.op('Where', [later, graph.number(-1e9), graph.number(0)])
}

const selfAttention = (
  graph: WhisperGraphBuilder,
  value: string,
  layer: number,
  mask: string,
  { hiddenSize, decoder }: ModelDimensions,
): string => {
  const name = `decoder.blocks.${layer}.attn`
  const norm = graph.layerNorm(value, `${name}_ln`, hiddenSize)
  const project = (part: string) =>
    splitHeads(graph, graph.linear(norm, `${name}.${part}`, hiddenSize, hiddenSize), hiddenSize, decoder.heads)
  const withPast = (part: string) => {
    const all = graph.op('Concat', [`past.${layer}.${part}`, project(part)], { axis: { int: 2 } })
    graph.name(all, `present.${layer}.${part}`)
    return all
  }
  const keys = graph.op('Transpose', [withPast('key')], { perm: { ints: [0, 1, 3, 2] } })
  const scores = graph.op('MatMul', [scaled(graph, project('query'), hiddenSize / decoder.heads), keys])
  const weights = graph.op('Softmax', [graph.op('Add', [scores, mask])], { axis: { int: -1 } })
  const attended = joinHeads(graph, graph.op('MatMul', [weights, withPast('value')]), hiddenSize)
  return graph.op('Add', [value, graph.linear(attended, `${name}.out`, hiddenSize, hiddenSize)])
}

const crossAttention = (
  graph: WhisperGraphBuilder,
  value: string,
  layer: number,
  { hiddenSize, decoder }: ModelDimensions,
) => {
  const name = `decoder.blocks.${layer}.cross_attn`
  const norm = graph.layerNorm(value, `${name}_ln`, hiddenSize)
  const query = splitHeads(
    graph,
    graph.linear(norm, `${name}.query`, hiddenSize, hiddenSize),
    hiddenSize,
    decoder.heads,
  )
  const scores = graph.op('MatMul', [scaled(graph, query, hiddenSize / decoder.heads), `cross.${layer}.key`])
  const weights = graph.op('Softmax', [scores], { axis: { int: -1 } })
  const attended = joinHeads(graph, graph.op('MatMul', [weights, `cross.${layer}.value`]), hiddenSize)
  return { weights, value: graph.op('Add', [value, graph.linear(attended, `${name}.out`, hiddenSize, hiddenSize)]) }
}

/** Reshapes [1, n, hiddenSize] to [1, heads, n, hiddenSize / heads]. */
const splitHeads = (graph: WhisperGraphBuilder, flat: string, hiddenSize: number, count: number): string =>
  graph.op('Transpose', [graph.op('Reshape', [flat, graph.integers(0, 0, count, hiddenSize / count)])], {
    perm: { ints: [0, 2, 1, 3] },
  })

const joinHeads = (graph: WhisperGraphBuilder, value: string, hiddenSize: number): string =>
  graph.op('Reshape', [
    graph.op('Transpose', [value], { perm: { ints: [0, 2, 1, 3] } }),
    graph.integers(0, 0, hiddenSize),
  ])

const scaled = (graph: WhisperGraphBuilder, query: string, size: number): string =>
  graph.op('Mul', [query, graph.number(size ** -0.5)])
