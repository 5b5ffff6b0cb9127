import type { WhisperGraph } from './whisper-graph.js'

/** [rows, columns], row-major. */
export interface Matrix {
  readonly weight: Float32Array
  readonly rows: number
  readonly columns: number
}

/** How matrices are stored and multiplied with. */
export interface Matrices {
  /** [.., columns] times the transposed matrix, plus its bias: [.., rows]. */
  linear(graph: WhisperGraph, input: string, matrix: Matrix & { readonly bias: Float32Array | undefined }): string
  /** A matrix whose rows are also looked up, as embeddings are. */
  table(graph: WhisperGraph, matrix: Matrix): Table
}

interface Table {
  /** The rows with these numbers: [.., columns]. */
  rows(numbers: string): string
  /** Like {@link Matrices.linear}, without a bias. */
  linear(input: string): string
}

/** Keeps matrices as exact as in the model's file. */
export const float32: Matrices = {
  linear(graph, input, { bias, ...matrix }) {
    const weight = graph.floats(transposed(matrix), matrix.columns, matrix.rows)
    const product = graph.op('MatMul', [input, weight])
    return bias ? graph.op('Add', [product, graph.floats(bias, matrix.rows)]) : product
  },
  table(graph, { weight, rows, columns }) {
    const stored = graph.floats(weight, rows, columns)
    return {
      rows: (numbers) => graph.op('Gather', [stored, numbers]),
      linear: (input) => product(graph, input, stored),
    }
  },
}

const product = (graph: WhisperGraph, input: string, stored: string) =>
  graph.ownOp('FusedMatMul', [input, stored], { transB: { int: 1 } })

const transposed = ({ weight, rows, columns }: Matrix): Float32Array => {
  const result = new Float32Array(weight.length)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      result[column * rows + row] = weight[row * columns + column] ?? 0
  return result
}
