import { expect } from 'chai'
import { averagePrecision, cosine, mean, pearson, ranks, reciprocalRank, spearman } from './metrics.js'

describe('measures of quality', () => {
  const orders: [relevant: boolean[], precision: number | undefined, reciprocal: number][] = [
    [[true], 1, 1],
    [[true, false, true], (1 + 2 / 3) / 2, 1],
    [[false, true, true, false], (1 / 2 + 2 / 3) / 2, 1 / 2],
    [[false, false], undefined, 0],
    [[], undefined, 0],
  ]
  for (const [relevant, precision, reciprocal] of orders) {
    it(`are right for the order ${relevant.map(Number).join('') || 'of nothing'}`, () => {
      expect(averagePrecision(relevant)).to.equal(precision)
      expect(reciprocalRank(relevant)).to.equal(reciprocal)
    })
  }

  it('rank values, equal ones alike', () => {
    expect(ranks([10, 30, 20, 30])).to.deep.equal([1, 3.5, 2, 3.5])
    expect(ranks([5, 5, 5])).to.deep.equal([2, 2, 2])
  })

  it('correlate', () => {
    expect(pearson([1, 2, 3], [2, 4, 6])).to.be.closeTo(1, 1e-12)
    expect(spearman([1, 2, 3], [1, 100, 1000])).to.be.closeTo(1, 1e-12)
    expect(spearman([1, 2, 3], [9, 5, 1])).to.be.closeTo(-1, 1e-12)
    // without equal values: 1 - 6 * (sum of squared differences of ranks) / (n * (n^2 - 1))
    expect(spearman([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [4, 2, 1, 3, 5, 7, 8, 6, 9, 10])).to.be.closeTo(
      1 - (6 * 20) / 990,
      1e-12,
    )
    expect(spearman([1, 1, 1], [1, 2, 3])).to.equal(0)
  })

  it('compare directions of vectors, whatever their lengths', () => {
    expect(cosine([1, 2], [10, 20])).to.be.closeTo(1, 1e-12)
    expect(cosine([1, 0], [0, 3])).to.equal(0)
    expect(cosine([1, 1], [-1, -1])).to.be.closeTo(-1, 1e-12)
    expect(cosine([0, 0], [1, 1])).to.equal(0)
  })

  it('are not made of nothing, nor of lists of different lengths', () => {
    expect(() => mean([])).to.throw(RangeError)
    expect(() => spearman([1], [1, 2])).to.throw(RangeError)
    expect(() => cosine([1], [1, 2])).to.throw(RangeError)
  })
})
