import { expect } from 'chai'
import fc from 'fast-check'
import { areaUnderCurve, metricsAt, thresholdForBestF1, thresholdForFalseAlarms } from '../src/guard/metrics.js'
import type { ScoredRow } from '../src/guard/metrics.js'

const rows = (...pairs: [number, 0 | 1][]): ScoredRow[] =>
  pairs.map(([score, label]) => ({ score, label: label === 1 }))

describe('the metrics of a detector', () => {
  const mixed = rows([0.9, 1], [0.8, 1], [0.7, 0], [0.6, 1], [0.2, 0], [0.1, 0])

  it('count what a threshold does', () => {
    expect(metricsAt(mixed, 0.65)).to.deep.equal({
      threshold: 0.65,
      precision: 2 / 3,
      recall: 2 / 3,
      f1: 2 / 3,
      falseAlarms: 1 / 3,
    })
    expect(metricsAt(mixed, 0.95)).to.deep.include({ precision: 0, recall: 0, f1: 0, falseAlarms: 0 })
  })

  it('find thresholds, halfway to what does not count', () => {
    expect(thresholdForFalseAlarms(mixed, 0)).to.deep.include({ threshold: 0.75, recall: 2 / 3 })
    expect(thresholdForFalseAlarms(mixed, 0.4)).to.deep.include({ threshold: 0.4, recall: 1 })
    expect(thresholdForFalseAlarms(rows([1, 0], [0.5, 1]), 0.5)).to.equal(undefined)
    expect(thresholdForBestF1(mixed)).to.deep.include({ threshold: 0.4, precision: 0.75 })
  })

  it('recommend no threshold for rows in which nothing was found', () => {
    const found = rows([0.9, 1], [0.8, 1])
    const unfound = (label: boolean): ScoredRow[] => Array<ScoredRow>(8).fill({ score: undefined, label })
    const all = [...found, ...unfound(true), ...unfound(false)]
    expect(thresholdForBestF1(all)).to.deep.include({ threshold: 0.4, precision: 1, recall: 0.2 })
    expect(thresholdForFalseAlarms(all, 1)).to.deep.include({ threshold: 0.4 })
    expect(metricsAt(all, 0)).to.deep.include({ precision: 1, recall: 0.2, falseAlarms: 0 })
    expect(areaUnderCurve(all).area).to.be.closeTo((2 + 8 / 2) / 10, 1e-9)
  })

  const areas: [string, ScoredRow[], number][] = [
    ['all told apart', rows([0.9, 1], [0.1, 0]), 1],
    ['all the wrong way round', rows([0.1, 1], [0.9, 0]), 0],
    ['all the same score', rows([0.5, 1], [0.5, 0], [0.5, 1]), 0.5],
    ['a tie', rows([0.9, 1], [0.5, 1], [0.5, 0], [0.1, 0]), 3.5 / 4],
  ]
  for (const [name, scored, area] of areas)
    it(`have an area of ${area} for ${name}`, () => {
      expect(areaUnderCurve(scored).area).to.equal(area)
    })

  it('say how little few rows tell, also where all are told apart', () => {
    const apart = (count: number) =>
      Array<ScoredRow[]>(count)
        .fill(rows([1, 1], [0, 0]))
        .flat()
    const [few, many] = [areaUnderCurve(apart(2)), areaUnderCurve(apart(1000))]
    expect(few).to.include({ area: 1, high: 1 })
    expect(few.low).to.be.below(0.5)
    expect(many.low).to.be.within(0.99, 0.999)
  })

  it('have the area that comparing every pair gives', () => {
    const scored = fc.array(fc.record({ score: fc.integer({ min: 0, max: 5 }), label: fc.boolean() }), { minLength: 2 })
    fc.assert(
      fc.property(scored, (all) => {
        const [ones, others] = [all.filter(({ label }) => label), all.filter(({ label }) => !label)]
        fc.pre(ones.length > 0 && others.length > 0)
        const wins = ones.flatMap((a) => others.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)))
        const expected = wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
        const { area, low, high } = areaUnderCurve(all)
        expect(area).to.be.closeTo(expected, 1e-9)
        expect(low <= area && area <= high).to.equal(true)
        for (const { threshold, ...counted } of [thresholdForBestF1(all)!])
          expect(metricsAt(all, threshold)).to.deep.include({
            recall: counted.recall,
            falseAlarms: counted.falseAlarms,
          })
      }),
    )
  })
})
