import type { GraphBuilder } from './builder.js'
import type { Matrices, Matrix } from './matrices.js'

/** As exact as the model's file. */
export const float32: Matrices = {
  linear(graph, input, { bias, ...matrix }) {
    const weight = graph.floats(turned(matrix), matrix.columns, matrix.rows)
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

const product = (graph: GraphBuilder, input: string, stored: string) =>
  graph.ownOp('FusedMatMul', [input, stored], { transB: { int: 1 } })

const turned = ({ weight, rows, columns }: Matrix): Float32Array => {
  const result = new Float32Array(weight.length)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      result[column * rows + row] = weight[row * columns + column] ?? 0
  return result
}
