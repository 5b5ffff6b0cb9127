import { expect } from 'chai'
import { differences, median, medianInterval, quantile, ratios, summarise } from '../bench/statistics.js'

describe('statistics of the benchmark', () => {
  it('interpolates quantiles', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).to.equal(2.5)
    expect(quantile([1, 2, 3], 0)).to.equal(1)
    expect(quantile([1, 2, 3], 1)).to.equal(3)
    expect(quantile([7], 0.95)).to.equal(7)
    expect(quantile([], 0.5)).to.be.NaN
  })

  it('summarises without changing what it is given', () => {
    const values = [3, 1, 2]
    expect(summarise(values)).to.deep.equal({ median: 2, min: 1, max: 3 })
    expect(values).to.deep.equal([3, 1, 2])
  })

  it('gives an interval that holds the median, lies within the values and is the same every time', () => {
    const values = [9.6, 10.2, 10, 9.9, 14]
    const [low, high] = medianInterval(values)
    expect(low).to.be.at.least(9.6).and.at.most(median(values))
    expect(high).to.be.at.most(14).and.at.least(median(values))
    expect(medianInterval(values)).to.deep.equal([low, high])
  })

  it('narrows the interval with more rounds', () => {
    const width = (rounds: number) => {
      const [low, high] = medianInterval(Array.from({ length: rounds }, (_, round) => round % 7))
      return high - low
    }
    expect(width(200)).to.be.below(width(7))
  })

  it('compares round by round, so that drift that hits both cancels out', () => {
    const { rounds, interval } = ratios([100, 50, 10], [200, 100, 20])
    expect(rounds).to.deep.equal([0.5, 0.5, 0.5])
    expect(interval).to.deep.equal([0.5, 0.5])
    expect(differences([3, 5], [1, 2]).rounds).to.deep.equal([2, 3])
  })
})
