/** How much tokens attend to places of the sound, [heads, tokens, places] in row-major order. */
export interface Attention {
  readonly data: Float32Array
  readonly heads: number
  readonly tokens: number
  readonly places: number
}

/** Places over which the median is taken. */
const medianWidth = 7

/**
 * The place where each token from `first` on begins, by dynamic time warping over the attention of the alignment heads
 * (as OpenAI's `find_alignment`: normalised over tokens, median-filtered, averaged).
 * @param places those that are sound, not padding
 */
export const tokenPlaces = (attention: Attention, first: number, places: number): number[] => {
  const rows = attention.tokens - first
  const scores = new Float32Array(rows * places)
  for (let head = 0; head < attention.heads; head += 1) {
    const weights = normalised(attention, head, places)
    for (let row = 0; row < rows; row += 1) {
      const from = weights.subarray((first + row) * places, (first + row + 1) * places)
      medians(from).forEach((value, place) => {
        scores[row * places + place] = (scores[row * places + place] ?? 0) + value
      })
    }
  }
  return warped(scores, rows, places)
}

/** [tokens, places]: shares of the sound, and then each place's scores over tokens, with mean 0 and deviation 1. */
const normalised = ({ data, tokens, places: stride }: Attention, head: number, places: number): Float32Array => {
  const weights = new Float32Array(tokens * places)
  for (let token = 0; token < tokens; token += 1) {
    const at = (head * tokens + token) * stride
    const row = data.subarray(at, at + places)
    const sum = row.reduce((total, value) => total + value, 1e-12)
    weights.set(
      row.map((value) => value / sum),
      token * places,
    )
  }
  for (let place = 0; place < places; place += 1) {
    let [sum, squares] = [0, 0]
    for (let at = place; at < weights.length; at += places) {
      const value = weights[at] ?? 0
      sum += value
      squares += value * value
    }
    const mean = sum / tokens
    const deviation = Math.sqrt(Math.max(squares / tokens - mean * mean, 1e-20))
    for (let at = place; at < weights.length; at += places) weights[at] = ((weights[at] ?? 0) - mean) / deviation
  }
  return weights
}

/** The row is mirrored at its ends. */
const medians = (row: Float32Array): Float32Array => {
  const reach = (medianWidth - 1) / 2
  const at = (index: number) => row[index < 0 ? -index : index >= row.length ? 2 * row.length - 2 - index : index] ?? 0
  const sorted = new Float32Array(medianWidth)
  return row.map((_, index) => {
    for (let count = 0; count < medianWidth; count += 1) insert(sorted, count, at(index + count - reach))
    return sorted[reach] ?? 0
  })
}

/** Among the first `count` values, which are in order. The sort of typed arrays takes ten times as long. */
const insert = (sorted: Float32Array, count: number, value: number): void => {
  let to = count
  for (; to > 0 && (sorted[to - 1] ?? 0) > value; to -= 1) sorted[to] = sorted[to - 1] ?? 0
  sorted[to] = value
}

/** The first place of each row on the path of highest scores from one corner to the other. */
const warped = (scores: Float32Array, rows: number, places: number): number[] => {
  const moves = new Uint8Array(rows * places)
  let before = new Float32Array(places).fill(-Infinity)
  for (let row = 0; row < rows; row += 1) {
    const current = new Float32Array(places)
    for (let place = 0; place < places; place += 1) {
      const diagonal = row && place ? (before[place - 1] ?? 0) : row || place ? -Infinity : 0
      const [down, right] = [before[place] ?? 0, place ? (current[place - 1] ?? 0) : -Infinity]
      const most = Math.max(diagonal, down, right)
      moves[row * places + place] = most === diagonal ? moved.diagonally : most === down ? moved.down : moved.right
      current[place] = most + (scores[row * places + place] ?? 0)
    }
    before = current
  }
  return traced(moves, rows, places)
}

const moved = { diagonally: 0, down: 1, right: 2 } as const

const traced = (moves: Uint8Array, rows: number, places: number): number[] => {
  const starts = new Array<number>(rows).fill(0)
  for (let [row, place] = [rows - 1, places - 1]; row >= 0 && place >= 0;) {
    starts[row] = place
    const move = moves[row * places + place]
    if (move !== moved.right) row -= 1
    if (move !== moved.down) place -= 1
  }
  return starts
}
