import type { WhisperGraph } from './whisper-graph.js'
import type { Matrices, Matrix } from './matrices.js'

/** Numbers that share a scale, within a row. */
const size = 32
/** What stands for 0. */
const zero = 128

/** Accuracy levels of MatMulNBits: what a matrix is multiplied with stays as it is (0), or is cut to 8 bits, too (4). */
type Accuracy = 0 | 4

const int8Matrices = (accuracy: Accuracy): Matrices => ({
  linear(graph, input, { bias, ...matrix }) {
    return product(graph, input, stored(graph, matrix), { ...matrix, accuracy, bias })
  },
  table(graph, matrix) {
    const { blocks, scales } = stored(graph, matrix)
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

/** 8 bits a number and a scale for each 32, as ggml's q8_0 has it. For many vectors at once: products are floats. */
export const int8: Matrices = int8Matrices(0)

/** For a vector at a time, the vector is cut to 8 bits, too, which takes half the time. */
export const int8ForSteps: Matrices = int8Matrices(4)

interface Stored {
  /** [rows, columns / 32, 32] */
  readonly blocks: string
  /** [rows, columns / 32] */
  readonly scales: string
}

const stored = (graph: WhisperGraph, { weight, rows, columns }: Matrix): Stored => {
  const { numbers, scales } = quantize(weight)
  return {
    blocks: graph.bytes(numbers, rows, columns / size, size),
    scales: graph.floats(scales, rows, columns / size),
  }
}

const product = (
  graph: WhisperGraph,
  input: string,
  { blocks, scales }: Stored,
  { rows, columns, accuracy, bias }: Matrix & { accuracy: Accuracy; bias: Float32Array | undefined },
): string =>
  graph.ownOp('MatMulNBits', [input, blocks, scales, ...(bias ? ['', '', graph.floats(bias, rows)] : [])], {
    K: { int: columns },
    N: { int: rows },
    bits: { int: 8 },
    block_size: { int: size },
    accuracy_level: { int: accuracy },
  })

/** The largest number of a block becomes 127 or -127. The length must be a multiple of 32. */
export const quantize = (values: Float32Array): { numbers: Uint8Array; scales: Float32Array } => {
  const scales = new Float32Array(values.length / size)
  const numbers = new Uint8Array(values.length)
  for (let block = 0; block < scales.length; block += 1) {
    const [start, end] = [block * size, (block + 1) * size]
    let largest = 0
    for (let index = start; index < end; index += 1) largest = Math.max(largest, Math.abs(values[index] ?? 0))
    const scale = largest / 127
    scales[block] = scale
    for (let index = start; index < end; index += 1)
      numbers[index] = zero + (scale ? Math.round((values[index] ?? 0) / scale) : 0)
  }
  return { numbers, scales }
}
