/** Two clusters that are merged, each given by the index of one of its vectors, and their distance. */
interface Merge {
  readonly first: number
  readonly second: number
  readonly height: number
}

/**
 * Agglomerative clustering with Ward's criterion (the least growth of the squared distances to the centroids) by chains
 * of nearest neighbours: F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms", 1983. Takes
 * time and memory with the square of the number of vectors.
 */
export class Linkage {
  private readonly merges: readonly Merge[]

  constructor(private readonly vectors: readonly Float32Array[]) {
    this.merges = mergesOf(vectors).sort((one, other) => one.height - other.height)
  }

  /** The cluster of each vector, where the vectors are divided into `count` clusters. */
  cut(count: number): number[] {
    const parent = this.vectors.map((_, index) => index)
    const root = (index: number): number => {
      let at = index
      while (parent[at] !== at) at = parent[at] ?? at
      return at
    }
    for (const { first, second } of this.merges.slice(0, Math.max(0, this.vectors.length - count)))
      parent[root(second)] = root(first)
    const numbers = new Map<number, number>()
    return this.vectors.map((_, index) => {
      const cluster = root(index)
      if (!numbers.has(cluster)) numbers.set(cluster, numbers.size)
      return numbers.get(cluster) ?? 0
    })
  }
}

/** The merges, in the order of the nearest-neighbour chains. */
const mergesOf = (vectors: readonly Float32Array[]): Merge[] => {
  const distances = new Distances(vectors)
  const merges: Merge[] = []
  const chain: number[] = []
  while (merges.length < vectors.length - 1) {
    if (!chain.length) chain.push(distances.anyCluster())
    const last = chain.at(-1) ?? 0
    const before = chain.at(-2)
    const nearest = distances.nearest(last, before)
    if (nearest !== before) chain.push(nearest)
    else {
      chain.splice(-2)
      merges.push({ first: nearest, second: last, height: distances.merge(nearest, last) })
    }
  }
  return merges
}

/** Distances between clusters; the index of one of its vectors identifies a cluster. */
class Distances {
  private readonly count: number
  private readonly sizes: number[]
  private readonly table: Float32Array

  constructor(vectors: readonly Float32Array[]) {
    this.count = vectors.length
    this.sizes = vectors.map(() => 1)
    this.table = new Float32Array(this.count * this.count)
    vectors.forEach((one, row) => {
      for (let column = 0; column < row; column += 1) this.set(row, column, squared(one, vectors[column] ?? one))
    })
  }

  anyCluster(): number {
    return this.sizes.findIndex((size) => size > 0)
  }

  /** @param preferred wins among equals, so that chains end */
  nearest(cluster: number, preferred: number | undefined): number {
    let best = preferred ?? -1
    let lowest = preferred === undefined ? Infinity : this.get(cluster, preferred)
    for (let other = 0; other < this.count; other += 1) {
      if (other === cluster || !this.sizes[other]) continue
      const distance = this.get(cluster, other)
      if (distance >= lowest) continue
      lowest = distance
      best = other
    }
    return best
  }

  /** Merges the second cluster into the first (G. Lance, W. Williams, 1967). @returns their distance before */
  merge(first: number, second: number): number {
    const [sizeOne, sizeTwo, height] = [this.size(first), this.size(second), this.get(first, second)]
    this.sizes[second] = 0
    for (let other = 0; other < this.count; other += 1) {
      const size = this.size(other)
      if (!size || other === first) continue
      const sum = (sizeOne + size) * this.get(first, other) + (sizeTwo + size) * this.get(second, other) - size * height
      this.set(first, other, sum / (sizeOne + sizeTwo + size))
    }
    this.sizes[first] = sizeOne + sizeTwo
    return height
  }

  private size(cluster: number): number {
    return this.sizes[cluster] ?? 0
  }

  private get(one: number, other: number): number {
    return this.table[one * this.count + other] ?? 0
  }

  private set(one: number, other: number, distance: number): void {
    this.table[one * this.count + other] = distance
    this.table[other * this.count + one] = distance
  }
}

const squared = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2
  return sum
}
