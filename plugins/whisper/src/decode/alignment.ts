/** Cross-attention of tokens to positions of the encoder: [heads, tokens, positions], row-major. */
export interface Attention {
  readonly data: Float32Array
  readonly heads: number
  readonly tokens: number
  readonly positions: number
}

/** Positions over which the median is taken. */
const medianWidth = 7

/**
 * The position at which each token from `first` on begins, by dynamic time warping over the attention of the alignment
 * heads (as in OpenAI's `find_alignment`: normalised over tokens, median-filtered, summed).
 * @param positions the number of positions of audio, without the padding
 */
export const tokenPositions = (attention: Attention, first: number, positions: number): number[] => {
  const rows = attention.tokens - first
  const scores = new Float32Array(rows * positions)
  for (let head = 0; head < attention.heads; head += 1) {
    const weights = normalised(attention, head, positions)
    for (let row = 0; row < rows; row += 1) {
      const attentionOfToken = weights.subarray((first + row) * positions, (first + row + 1) * positions)
      medianFiltered(attentionOfToken).forEach((value, position) => {
        scores[row * positions + position] = (scores[row * positions + position] ?? 0) + value
      })
    }
  }
  return dynamicTimeWarping(scores, rows, positions)
}

/** [tokens, positions]: each row is scaled to the sum 1, then each column to mean 0 and standard deviation 1. */
const normalised = ({ data, tokens, positions: stride }: Attention, head: number, positions: number): Float32Array => {
  const weights = new Float32Array(tokens * positions)
  for (let token = 0; token < tokens; token += 1) {
    const from = (head * tokens + token) * stride
    const row = data.subarray(from, from + positions)
    const sum = row.reduce((total, value) => total + value, 1e-12)
    row.forEach((value, at) => (weights[token * positions + at] = value / sum))
  }
  for (let position = 0; position < positions; position += 1) {
    let [sum, squares] = [0, 0]
    for (let at = position; at < weights.length; at += positions) {
      const value = weights[at] ?? 0
      sum += value
      squares += value * value
    }
    const mean = sum / tokens
    const deviation = Math.sqrt(Math.max(squares / tokens - mean * mean, 1e-20))
    for (let at = position; at < weights.length; at += positions) weights[at] = ((weights[at] ?? 0) - mean) / deviation
  }
  return weights
}

/** A median filter; the row is mirrored at its ends. */
const medianFiltered = (row: Float32Array): Float32Array => {
  const reach = (medianWidth - 1) / 2
  const at = (index: number) => row[index < 0 ? -index : index >= row.length ? 2 * row.length - 2 - index : index] ?? 0
  const sorted = new Float32Array(medianWidth)
  return row.map((_, index) => {
    for (let count = 0; count < medianWidth; count += 1) insert(sorted, count, at(index + count - reach))
    return sorted[reach] ?? 0
  })
}

/** Inserts into the first `count` values, which are sorted. The sort of typed arrays takes ten times as long. */
const insert = (sorted: Float32Array, count: number, value: number): void => {
  let at = count
  for (; at > 0 && (sorted[at - 1] ?? 0) > value; at -= 1) sorted[at] = sorted[at - 1] ?? 0
  sorted[at] = value
}

/** The first position of each row on the path with the highest scores, by dynamic time warping. */
const dynamicTimeWarping = (scores: Float32Array, rows: number, positions: number): number[] => {
  const moves = new Uint8Array(rows * positions)
  let previous = new Float32Array(positions).fill(-Infinity)
  for (let row = 0; row < rows; row += 1) {
    const current = new Float32Array(positions)
    for (let position = 0; position < positions; position += 1) {
      const diagonal = row && position ? (previous[position - 1] ?? 0) : row || position ? -Infinity : 0
      const [down, right] = [previous[position] ?? 0, position ? (current[position - 1] ?? 0) : -Infinity]
      const best = Math.max(diagonal, down, right)
      moves[row * positions + position] =
        best === diagonal ? moveKinds.diagonal : best === down ? moveKinds.down : moveKinds.right
      current[position] = best + (scores[row * positions + position] ?? 0)
    }
    previous = current
  }
  return backtrack(moves, rows, positions)
}

const moveKinds = { diagonal: 0, down: 1, right: 2 } as const

const backtrack = (moves: Uint8Array, rows: number, positions: number): number[] => {
  const starts = new Array<number>(rows).fill(0)
  for (let [row, position] = [rows - 1, positions - 1]; row >= 0 && position >= 0;) {
    starts[row] = position
    const move = moves[row * positions + position]
    if (move !== moveKinds.right) row -= 1
    if (move !== moveKinds.down) position -= 1
  }
  return starts
}
