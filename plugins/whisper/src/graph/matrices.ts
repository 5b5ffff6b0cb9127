import type { GraphBuilder } from './builder.js'

/** [rows, columns], row-major. */
export interface Matrix {
  readonly weight: Float32Array
  readonly rows: number
  readonly columns: number
}

/** How matrices are stored and multiplied with. */
export interface Matrices {
  /** [.., columns] times the matrix turned round, and its bias: [.., rows]. */
  linear(graph: GraphBuilder, input: string, matrix: Matrix & { readonly bias: Float32Array | undefined }): string
  /** One that is also read row by row. */
  table(graph: GraphBuilder, matrix: Matrix): Table
}

export interface Table {
  /** The rows with these numbers: [.., columns]. */
  rows(numbers: string): string
  /** As {@link Matrices.linear}. */
  linear(input: string): string
}
