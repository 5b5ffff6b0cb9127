import type { WhisperGraphBuilder } from './whisper-graph-builder.js'

/** [rows, columns], row-major. */
export interface Matrix {
  readonly weight: Float32Array
  readonly rows: number
  readonly columns: number
}

export interface LinearLayer extends Matrix {
  readonly bias: Float32Array | undefined
}

/** How matrices are stored, and how vectors are multiplied with them. */
export interface MatrixFormat {
  /** [.., columns] times the transposed matrix, plus its bias: [.., rows]. */
  linear(graph: WhisperGraphBuilder, input: string, layer: LinearLayer): string
  /** Stores a matrix whose rows are also looked up. */
  embedding(graph: WhisperGraphBuilder, matrix: Matrix): Embedding
}

interface Embedding {
  /** The rows with these indices: [.., columns]. */
  rows(indices: string): string
  /** Like {@link MatrixFormat.linear}, without a bias. */
  linear(input: string): string
}

/** Keeps the precision of the model's file. */
export const float32: MatrixFormat = {
  linear(graph, input, { bias, ...matrix }) {
    const weight = graph.floats(transposed(matrix), matrix.columns, matrix.rows)
    const product = graph.op('MatMul', [input, weight])
    return bias ? graph.op('Add', [product, graph.floats(bias, matrix.rows)]) : product
  },
  embedding(graph, { weight, rows, columns }) {
    const stored = graph.floats(weight, rows, columns)
    return {
      rows: (indices) => graph.op('Gather', [stored, indices]),
      linear: (input) => product(graph, input, stored),
    }
  },
}

const product = (graph: WhisperGraphBuilder, input: string, stored: string) =>
  graph.contribOp('FusedMatMul', [input, stored], { transB: { int: 1 } })

const transposed = ({ weight, rows, columns }: Matrix): Float32Array => {
  const result = new Float32Array(weight.length)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      result[column * rows + row] = weight[row * columns + column] ?? 0
  return result
}
