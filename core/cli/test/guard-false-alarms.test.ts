import { expect } from 'chai'
import fc from 'fast-check'
import { alarmRateOf } from '../src/guard/false-alarms.js'
import type { JudgedText } from '../src/guard/false-alarms.js'

/** As many texts, the first of which are alarms; with a source they are all of it. */
const texts = (count: number, alarms: number, source?: string): JudgedText[] =>
  Array.from({ length: count }, (_, index) => ({ alarm: index < alarms, ...(source === undefined ? {} : { source }) }))
const sources = (count: number, make: (source: string, index: number) => JudgedText[]) =>
  Array.from({ length: count }, (_, index) => make(`source ${index}`, index)).flat()

describe('the rate of false alarms', () => {
  const cases: [string, JudgedText[], { independent: number; low: number; high: number }][] = [
    // 1.96² / (10 + 1.96²)
    ['no alarm in ten texts', texts(10, 0), { independent: 10, low: 0, high: 0.27754 }],
    // (0.5 + 0.19208 ± 1.96 √(0.025 + 0.009604)) / 1.38416
    ['five in ten', texts(10, 5), { independent: 10, low: 0.23659, high: 0.76341 }],
    ['ten in ten', texts(10, 10), { independent: 10, low: 0.72246, high: 1 }],
    [
      'texts that have a source each',
      sources(10, (s, i) => texts(1, Number(i < 5), s)),
      { independent: 10, low: 0.23659, high: 0.76341 },
    ],
    [
      'ten sources that are all alike',
      sources(10, (s) => texts(2, 1, s)),
      { independent: 10, low: 0.23659, high: 0.76341 },
    ],
    // 1.96² / (2 + 1.96²)
    ['two sources', sources(2, (s) => texts(50, 0, s)), { independent: 2, low: 0, high: 0.65763 }],
    // The source is drawn a binomial number of times, of which P(0) = 0.349, P(≤ 2) = 0.930, P(≤ 3) = 0.987.
    [
      'one source of ten that raises all',
      sources(10, (s, i) => texts(10, i ? 0 : 10, s)),
      { independent: 10, low: 0, high: 0.3 },
    ],
    // Of 40 texts with two alarms, Wilson's upper end, above the bootstrap's 5 of 40, for P(≤ 4) = 0.957 and P(≤ 5) = 0.989.
    [
      'alarms of two sources of twenty',
      sources(20, (s, i) => texts(2, Number(i < 2), s)),
      { independent: 20, low: 0, high: 0.16504 },
    ],
  ]
  for (const [name, judged, { independent, low, high }] of cases)
    it(`has its interval for ${name}`, () => {
      const rate = alarmRateOf(judged)
      expect(rate.independent).to.equal(independent)
      expect(rate.low).to.be.closeTo(low, 1e-5)
      expect(rate.high).to.be.closeTo(high, 1e-5)
    })

  it('lies in its interval', () => {
    const judged = fc.record({ alarm: fc.boolean(), source: fc.stringMatching(/^[a-z]$/) }, { requiredKeys: ['alarm'] })
    fc.assert(
      fc.property(fc.array(judged, { minLength: 1, maxLength: 60 }), (all) => {
        const { texts: count, alarms, low, high } = alarmRateOf(all)
        expect([count, alarms]).to.deep.equal([all.length, all.filter(({ alarm }) => alarm).length])
        expect(0 <= low && low <= alarms / count && alarms / count <= high && high <= 1).to.equal(true)
      }),
    )
  })
})
