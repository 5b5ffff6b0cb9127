import type { WhisperGraph } from './whisper-graph.js'
import type { Matrices, Matrix } from './matrices.js'

/** Numbers of a row that share a scale. */
const blockSize = 32
/** The zero point. */
const zero = 128

/** Accuracy levels of MatMulNBits: the input stays a float (0), or is quantized to 8 bits, too (4). */
type Accuracy = 0 | 4

const int8Matrices = (accuracy: Accuracy): Matrices => ({
  linear(graph, input, { bias, ...matrix }) {
    return product(graph, input, storeQuantized(graph, matrix), { ...matrix, accuracy, bias })
  },
  table(graph, matrix) {
    const { blocks, scales } = storeQuantized(graph, matrix)
    return {
      rows: (numbers) => {
        const read = graph.op('Cast', [graph.op('Gather', [blocks, numbers])], { to: { int: 1 } })
        const signed = graph.op('Sub', [read, graph.number(zero)])
        const scale = graph.op('Unsqueeze', [graph.op('Gather', [scales, numbers]), graph.integers(-1)])
        return graph.op('Reshape', [graph.op('Mul', [signed, scale]), graph.integers(0, 0, matrix.columns)])
      },
      linear: (input) => product(graph, input, { blocks, scales }, { ...matrix, accuracy, bias: undefined }),
    }
  },
})

/** 8 bits per number and a scale for each 32, as in ggml's q8_0. Inputs stay floats, for many vectors at once. */
export const int8: Matrices = int8Matrices(0)

/** Also quantizes inputs, which takes half the time for one vector at a time. */
export const int8ForSteps: Matrices = int8Matrices(4)

interface QuantizedMatrix {
  /** [rows, columns / 32, 32] */
  readonly blocks: string
  /** [rows, columns / 32] */
  readonly scales: string
}

const storeQuantized = (graph: WhisperGraph, { weight, rows, columns }: Matrix): QuantizedMatrix => {
  const { numbers, scales } = quantize(weight)
  return {
    blocks: graph.bytes(numbers, rows, columns / blockSize, blockSize),
    scales: graph.floats(scales, rows, columns / blockSize),
  }
}

const product = (
  graph: WhisperGraph,
  input: string,
  { blocks, scales }: QuantizedMatrix,
  { rows, columns, accuracy, bias }: Matrix & { accuracy: Accuracy; bias: Float32Array | undefined },
): string =>
  graph.ownOp('MatMulNBits', [input, blocks, scales, ...(bias ? ['', '', graph.floats(bias, rows)] : [])], {
    K: { int: columns },
    N: { int: rows },
    bits: { int: 8 },
    block_size: { int: blockSize },
    accuracy_level: { int: accuracy },
  })

/** The largest number of a block becomes 127 or -127. The length must be a multiple of 32. */
export const quantize = (values: Float32Array): { numbers: Uint8Array; scales: Float32Array } => {
  const scales = new Float32Array(values.length / blockSize)
  const numbers = new Uint8Array(values.length)
  for (let block = 0; block < scales.length; block += 1) {
    const [start, end] = [block * blockSize, (block + 1) * blockSize]
    let largest = 0
    for (let index = start; index < end; index += 1) largest = Math.max(largest, Math.abs(values[index] ?? 0))
    const scale = largest / 127
    scales[block] = scale
    for (let index = start; index < end; index += 1)
      numbers[index] = zero + (scale ? Math.round((values[index] ?? 0) / scale) : 0)
  }
  return { numbers, scales }
}
