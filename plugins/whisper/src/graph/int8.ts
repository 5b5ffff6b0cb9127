import type { WhisperGraphBuilder } from './whisper-graph-builder.js'
import type { LinearLayer, Matrix, MatrixFormat } from './matrix-format.js'

/** Values of a row that share a scale. */
const blockSize = 32
const zeroPoint = 128

/** Accuracy levels of MatMulNBits: activations stay floats (0), or are quantized to 8 bits, too (4). */
type Accuracy = 0 | 4

const int8Format = (accuracy: Accuracy): MatrixFormat => ({
  linear: (graph, input, layer) => product(graph, input, storeQuantized(graph, layer), { ...layer, accuracy }),
  embedding(graph, matrix) {
    const { blocks, scales } = storeQuantized(graph, matrix)
    return {
      rows: (indices) => {
        const quants = graph.op('Cast', [graph.op('Gather', [blocks, indices])], { to: { int: 1 } })
        const signed = graph.op('Sub', [quants, graph.number(zeroPoint)])
        const scale = graph.op('Unsqueeze', [graph.op('Gather', [scales, indices]), graph.integers(-1)])
        return graph.op('Reshape', [graph.op('Mul', [signed, scale]), graph.integers(0, 0, matrix.columns)])
      },
      linear: (input) => product(graph, input, { blocks, scales }, { ...matrix, accuracy, bias: undefined }),
    }
  },
})

/** 8 bits per value and a scale for each 32, as in ggml's q8_0. Activations stay floats, for many vectors at once. */
export const int8: MatrixFormat = int8Format(0)

/** Also quantizes activations, which takes half the time for one vector at a time. */
export const int8WithActivations: MatrixFormat = int8Format(4)

interface QuantizedMatrix {
  /** [rows, columns / 32, 32] */
  readonly blocks: string
  /** [rows, columns / 32] */
  readonly scales: string
}

const storeQuantized = (graph: WhisperGraphBuilder, { weight, rows, columns }: Matrix): QuantizedMatrix => {
  const { quants, scales } = quantize(weight)
  const count = columns / blockSize
  return { blocks: graph.bytes(quants, rows, count, blockSize), scales: graph.floats(scales, rows, count) }
}

const product = (
  graph: WhisperGraphBuilder,
  input: string,
  { blocks, scales }: QuantizedMatrix,
  { rows, columns, accuracy, bias }: LinearLayer & { accuracy: Accuracy },
): string =>
  graph.contribOp('MatMulNBits', [input, blocks, scales, ...(bias ? ['', '', graph.floats(bias, rows)] : [])], {
    K: { int: columns },
    N: { int: rows },
    bits: { int: 8 },
    block_size: { int: blockSize },
    accuracy_level: { int: accuracy },
  })

/** The largest value of a block becomes 127 or -127, plus the zero point. The length must be a multiple of 32. */
export const quantize = (values: Float32Array): { quants: Uint8Array; scales: Float32Array } => {
  const scales = new Float32Array(values.length / blockSize)
  const quants = new Uint8Array(values.length)
  for (let block = 0; block < scales.length; block += 1) {
    const [start, end] = [block * blockSize, (block + 1) * blockSize]
    let largest = 0
    for (let index = start; index < end; index += 1) largest = Math.max(largest, Math.abs(values[index] ?? 0))
    const scale = largest / 127
    scales[block] = scale
    for (let index = start; index < end; index += 1)
      quants[index] = zeroPoint + (scale ? Math.round((values[index] ?? 0) / scale) : 0)
  }
  return { quants, scales }
}
