import type { OnnxValueInfo } from '@sallyport/weights'
import type { ModelDimensions } from '../weights/index.js'
import { crossPorts } from './encoder.js'
import type { WhisperGraphBuilder } from './whisper-graph-builder.js'

/**
 * Inputs: `tokens` [1, n], the next tokens; `logitIndices` [k], the indices of tokens after which logits are needed;
 * `past.<layer>.key` and `.value` [1, heads, pastLength, hiddenSize / heads] of earlier tokens; and the encoder's
 * outputs. Outputs: `logits` [1, k, vocabulary]; `present.<layer>.key` and `.value`, the past of the next run;
 * `alignment` [1, alignment heads, n, positions], the cross-attention of each token.
 * @throws FormatError
 */
export const decoderGraph = (graph: WhisperGraphBuilder): Uint8Array => {
  const { dimensions, alignmentHeads } = graph.checkpoint
  const { hiddenSize, vocabularySize, decoder } = dimensions
  const weight = graph.weights('decoder.token_embedding.weight', vocabularySize, hiddenSize)
  const embedding = graph.matrixFormat.embedding(graph, { weight, rows: vocabularySize, columns: hiddenSize })
  let value = graph.op('Add', [embedding.rows('tokens'), positions(graph)])
  const mask = causalMask(graph)
  const alignments: string[] = []
  for (let layer = 0; layer < decoder.layers; layer += 1) {
    value = selfAttention(graph, value, layer, mask)
    const crossed = crossAttention(graph, value, layer)
    value = graph.feedForward(crossed.value, `decoder.blocks.${layer}`)
    const headsOfLayer = alignmentHeads.filter((each) => each.layer === layer).map(({ head }) => head)
    if (headsOfLayer.length)
      alignments.push(graph.op('Gather', [crossed.weights, graph.integers(...headsOfLayer)], { axis: { int: 1 } }))
  }
  graph.name(graph.op('Concat', alignments, { axis: { int: 1 } }), 'alignment')
  const last = graph.op('Gather', [value, 'logitIndices'], { axis: { int: 1 } })
  graph.name(embedding.linear(graph.layerNorm(last, 'decoder.ln')), 'logits')
  return graph.finish(inputsOf(dimensions), outputsOf(dimensions, alignmentHeads.length))
}

const cachePorts = (prefix: string, length: string, { hiddenSize, decoder }: ModelDimensions): OnnxValueInfo[] => {
  const shape = [1, decoder.heads, length, hiddenSize / decoder.heads]
  return Array.from({ length: decoder.layers }, (_, layer) =>
    ['key', 'value'].map((part): OnnxValueInfo => ({ name: `${prefix}.${layer}.${part}`, type: 'FP32', shape })),
  ).flat()
}

const inputsOf = (dimensions: ModelDimensions): OnnxValueInfo[] => [
  { name: 'tokens', type: 'INT64', shape: [1, 'length'] },
  { name: 'logitIndices', type: 'INT64', shape: ['logits'] },
  ...cachePorts('past', 'pastLength', dimensions),
  ...crossPorts(dimensions),
]

const outputsOf = (dimensions: ModelDimensions, alignmentHeads: number): OnnxValueInfo[] => [
  { name: 'logits', type: 'FP32', shape: [1, 'logits', dimensions.vocabularySize] },
  ...cachePorts('present', 'totalLength', dimensions),
  { name: 'alignment', type: 'FP32', shape: [1, alignmentHeads, 'length', 'positions'] },
]

/** [1]: the number of tokens in the cache; {@link totalLength} adds the new ones. */
const pastLength = (graph: WhisperGraphBuilder) =>
  graph.op('Shape', ['past.0.key'], { start: { int: 2 }, end: { int: 3 } })
const totalLength = (graph: WhisperGraphBuilder) =>
  graph.op('Add', [pastLength(graph), graph.op('Shape', ['tokens'], { start: { int: 1 }, end: { int: 2 } })])

const positions = (graph: WhisperGraphBuilder): string => {
  const { contextLength, hiddenSize } = graph.dimensions
  const all = graph.tensor('decoder.positional_embedding', contextLength, hiddenSize)
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

const selfAttention = (graph: WhisperGraphBuilder, value: string, layer: number, mask: string): string => {
  const name = `decoder.blocks.${layer}.attn`
  const norm = graph.layerNorm(value, `${name}_ln`)
  const withPast = (part: string) => {
    const all = graph.op('Concat', [`past.${layer}.${part}`, project(graph, norm, `${name}.${part}`)], {
      axis: { int: 2 },
    })
    graph.name(all, `present.${layer}.${part}`)
    return all
  }
  const keys = graph.op('Transpose', [withPast('key')], { perm: { ints: [0, 1, 3, 2] } })
  const query = project(graph, norm, `${name}.query`)
  return attend(graph, value, name, { query, keys, values: withPast('value'), mask }).value
}

const crossAttention = (graph: WhisperGraphBuilder, value: string, layer: number) => {
  const name = `decoder.blocks.${layer}.cross_attn`
  const query = project(graph, graph.layerNorm(value, `${name}_ln`), `${name}.query`)
  return attend(graph, value, name, { query, keys: `cross.${layer}.key`, values: `cross.${layer}.value` })
}

/** Projects [1, n, hiddenSize] to [1, heads, n, hiddenSize / heads]. */
const project = (graph: WhisperGraphBuilder, input: string, name: string): string => {
  const { hiddenSize, decoder } = graph.dimensions
  const split = graph.integers(0, 0, decoder.heads, hiddenSize / decoder.heads)
  return graph.op('Transpose', [graph.op('Reshape', [graph.linear(input, name), split])], swapHeads)
}

const swapHeads = { perm: { ints: [0, 2, 1, 3] } }

interface AttentionInputs {
  readonly query: string
  /** Transposed for the product with queries. */
  readonly keys: string
  readonly values: string
  readonly mask?: string
}

/** Adds the attention's result to `value`. */
const attend = (graph: WhisperGraphBuilder, value: string, name: string, inputs: AttentionInputs) => {
  const { query, keys, values, mask } = inputs
  const { hiddenSize, decoder } = graph.dimensions
  const scaled = graph.op('Mul', [query, graph.number((hiddenSize / decoder.heads) ** -0.5)])
  const scores = graph.op('MatMul', [scaled, keys])
  const masked = mask === undefined ? scores : graph.op('Add', [scores, mask])
  const weights = graph.op('Softmax', [masked], { axis: { int: -1 } })
  const attended = graph.op('Transpose', [graph.op('MatMul', [weights, values])], swapHeads)
  const joined = graph.op('Reshape', [attended, graph.integers(0, 0, hiddenSize)])
  return { weights, value: graph.op('Add', [value, graph.linear(joined, `${name}.out`)]) }
}
