import { expect } from 'chai'
import { figuresOf, summariseFigure } from '../bench/figures.js'
import { table } from '../bench/report/table.js'
import { judge } from '../bench/report/verdicts.js'
import { targets } from '../bench/targets.js'
import type { Target } from '../bench/targets.js'

const target: Target = {
  section: 'generation',
  measure: 'decode-1',
  subject: 'ratio',
  atLeast: 0.9,
  weights: { below: 1000 },
  description: 'speed',
}
const models = [
  { id: 'small', source: 'small', path: 'small.gguf', bytes: 999 },
  { id: 'large', source: 'large', path: 'large.gguf', bytes: 1000 },
]
const ratio = (model: string, rounds: readonly number[]) =>
  summariseFigure(figuresOf('generation', model)('decode-1', 'ratio', 'ratio', rounds))

describe('verdicts on targets', () => {
  it('judges the median', () => {
    const [passed] = judge([ratio('small', [0.95, 0.96, 0.97])], [target], models)
    expect(passed).to.include({ value: 0.96, reached: true, uncertain: false, limit: '>= 0.9' })
    const [missed] = judge([ratio('small', [0.7, 0.8, 0.89])], [target], models)
    expect(missed).to.include({ reached: false, uncertain: false })
  })

  it('says when the limit lies within the noise', () => {
    const [verdict] = judge([ratio('small', [0.85, 0.95, 0.99])], [target], models)
    expect(verdict).to.include({ reached: true, uncertain: true })
  })

  it('leaves out models that the target is not meant for, and figures that were not measured', () => {
    expect(judge([ratio('large', [0.5])], [target], models)).to.deep.equal([])
    expect(judge([], targets, models)).to.deep.equal([])
  })

  it('has one limit per target', () => {
    for (const { atLeast, atMost } of targets)
      expect([atLeast, atMost].filter((limit) => limit !== undefined)).to.have.length(1)
  })
})

describe('table', () => {
  it('aligns numbers to the right and text to the left', () => {
    expect(
      table(
        ['name', 'value'],
        [
          ['a', '1.5'],
          ['b', '10.25'],
        ],
      ),
    ).to.equal(['name  value', '────  ─────', 'a       1.5', 'b     10.25'].join('\n'))
  })
})
