import { expect } from 'chai'
import { countSpans, f1, joinedPlaces, noSpans, scoresOf, sumOf } from './spans.js'
import type { LabelledSpan, SpanCounts } from './spans.js'
import { worsened } from './table.js'

const span = (type: string, start: number, end: number): LabelledSpan => ({ type, start, end })
const counted = (labelled: readonly LabelledSpan[], found: readonly LabelledSpan[]) => {
  const counts = new Map<string, SpanCounts>()
  countSpans(counts, labelled, found)
  return counts
}

describe('measures of spans', () => {
  const cases: [name: string, labelled: LabelledSpan[], found: LabelledSpan[], exact: number, overlap: number][] = [
    ['one at its place', [span('A', 2, 5)], [span('A', 2, 5)], 1, 1],
    ['a part of one', [span('A', 2, 5)], [span('A', 3, 5)], 0, 1],
    ['one beside it', [span('A', 2, 5)], [span('A', 5, 7)], 0, 0],
    ['one of another type', [span('A', 2, 5)], [span('B', 2, 5)], 0, 0],
    ['one in two parts', [span('A', 0, 9)], [span('A', 0, 3), span('A', 5, 9)], 0, 1],
    ['one for two', [span('A', 0, 3), span('A', 5, 9)], [span('A', 0, 9)], 0, 1],
    ['one and one too many', [span('A', 0, 3)], [span('A', 0, 3), span('A', 5, 9)], 2 / 3, 2 / 3],
    ['one of two', [span('A', 0, 3), span('A', 5, 9)], [span('A', 0, 3)], 2 / 3, 2 / 3],
    ['nothing where there is something', [span('A', 0, 3)], [], 0, 0],
    ['something where there is nothing', [], [span('A', 0, 3)], 0, 0],
    ['nothing of nothing', [], [], 0, 0],
  ]
  for (const [name, labelled, found, exact, overlap] of cases)
    it(`are right for ${name}`, () => {
      const scores = scoresOf(sumOf(counted(labelled, found).values()))
      expect(scores.exactF1).to.be.closeTo(exact, 1e-12)
      expect(scores.overlapF1).to.be.closeTo(overlap, 1e-12)
    })

  it('tell what is too much from what is missing', () => {
    const { exactPrecision, exactRecall, overlapPrecision, overlapRecall } = scoresOf({
      labelled: 4,
      found: 8,
      exact: 2,
      labelledTouched: 3,
      foundTouched: 4,
    })
    expect([exactPrecision, exactRecall, overlapPrecision, overlapRecall]).to.deep.equal([0.25, 0.5, 0.5, 0.75])
    expect(f1(0.5, 1)).to.be.closeTo(2 / 3, 1e-12)
    expect(f1(0, 0)).to.equal(0)
  })

  it('are counted by type, over several texts', () => {
    const counts = counted([span('A', 0, 1), span('B', 1, 2)], [span('A', 0, 1), span('C', 1, 2)])
    countSpans(counts, [span('A', 4, 5)], [])
    expect(Object.fromEntries(counts)).to.deep.equal({
      A: { labelled: 2, found: 1, exact: 1, labelledTouched: 1, foundTouched: 1 },
      B: { ...noSpans(), labelled: 1 },
      C: { ...noSpans(), found: 1 },
    })
  })

  it('take adjacent places for one, and nothing else', () => {
    const text = '5 Elm St,\n> Oslo and Rome, Ann, Bob'
    const place = (word: string, type = 'LOCATION') => span(type, text.indexOf(word), text.indexOf(word) + word.length)
    const spans = [place('Rome'), place('Oslo'), place('5 Elm St'), place('Ann', 'PERSON'), place('Bob', 'PERSON')]
    const joined = joinedPlaces(spans, text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)
    expect(joined).to.deep.equal(['LOCATION 5 Elm St,\n> Oslo', 'LOCATION Rome', 'PERSON Ann', 'PERSON Bob'])
  })
})

describe('a committed table', () => {
  const allowed = (figure: string) => (figure === 'auc' ? 0.01 : 0.03)
  for (const [name, now, problems] of [
    ['the same', { a: { auc: 0.9, recall: 0.5 } }, 0],
    ['better', { a: { auc: 0.95, recall: 0.6 }, b: { auc: 0.1 } }, 0],
    ['worse by less than is allowed', { a: { auc: 0.895, recall: 0.48 } }, 0],
    ['worse in one figure', { a: { auc: 0.88, recall: 0.9 } }, 1],
    ['without a row', { b: { auc: 1, recall: 1 } }, 2],
  ] as const)
    it(`finds ${problems} worse where what is measured is ${name}`, () => {
      expect(worsened({ a: { auc: 0.9, recall: 0.5 } }, now, allowed)).to.have.length(problems)
    })
})
