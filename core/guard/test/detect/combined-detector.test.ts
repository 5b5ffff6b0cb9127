import { expect } from 'chai'
import type { Call, Finding, Inspection, Detector, SpanDetector } from '@sallyport/core'
import { combinedDetector } from '../../src/detect/combined-detector.js'
import type { DetectorWithThreshold } from '../../src/detect/combined-detector.js'

const call: Call = { signal: new AbortController().signal, deadline: Infinity, requestId: '', tenant: '' }

const inspection = (score: number, spans: readonly (readonly [number, number])[] = []): Inspection => ({
  findings: spans.map(([start, end]): Finding => ({ type: 'word', start, end, score })),
  ...{ score, explanation: '', detector: 'one', latency: 1 },
})

const says = (score: number, spans?: readonly (readonly [number, number])[]): Detector => ({
  inspect: () => Promise.resolve(inspection(score, spans)),
})

const at = (threshold: number, detector: Detector | undefined): DetectorWithThreshold => ({ detector, threshold })

const nonsense: [what: string, inspection: Inspection][] = [
  ['a score below 0', inspection(-1)],
  ['a score above 1', inspection(2)],
  ['no score', inspection(NaN)],
  ['a span outside the text', inspection(1, [[2, 9]])],
  ['a span before the text', inspection(1, [[-1, 2]])],
  ['half a character', inspection(1, [[0.5, 2]])],
  ['findings without scores', { ...inspection(0), findings: [{ type: 'word', start: 0, end: 1, score: NaN }] }],
]

const spansOf = ({ findings }: Inspection) => findings.map(({ start, end }) => [start, end])

describe('several detectors of one check', () => {
  for (const [combine, expected] of [
    ['any', 0.9],
    ['all', 0.1],
    ['mean', 0.5],
  ] as const)
    it(`have one score: ${combine}`, async () => {
      const both = combinedDetector('words', [at(0.5, says(0.9)), at(0.5, says(0.1))], { combine, threshold: 0.5 })
      expect((await both.inspect({ text: 'a' }, call)).score).to.be.closeTo(expected, 1e-9)
    })

  for (const [own, score, expected] of [
    [0.8, 0.8, 0.5],
    [0.8, 0.4, 0.25],
    [0.8, 0.9, 0.75],
    [0.2, 0.1, 0.25],
    [1, 1, 1],
    [1, 0.5, 0.25],
    [0, 0, 0.5],
  ] as const)
    it(`puts ${String(score)} of one with the threshold ${String(own)} at ${String(expected)} where 0.5 decides`, async () => {
      const one = combinedDetector('words', [at(own, says(score))], { threshold: 0.5 })
      expect((await one.inspect({ text: 'a' }, call)).score).to.be.closeTo(expected, 1e-9)
    })

  for (const [combine, expected] of [
    [
      'any',
      [
        [0, 4],
        [2, 6],
        [8, 9],
        [20, 21],
      ],
    ],
    [
      'all',
      [
        [0, 4],
        [2, 6],
      ],
    ],
  ] as const)
    it(`find spans: ${combine}`, async () => {
      const parts = [
        at(
          0.5,
          says(0.9, [
            [0, 4],
            [8, 9],
          ]),
        ),
        at(
          0.5,
          says(0.9, [
            [2, 6],
            [20, 21],
          ]),
        ),
      ]
      const both = combinedDetector('words', parts, { combine, threshold: 0.5 })
      expect(spansOf(await both.inspect({ text: 'a'.repeat(21) }, call))).to.deep.equal(expected)
    })

  for (const combine of ['any', 'all', 'mean'] as const) {
    it(`fail where one fails: ${combine}`, async () => {
      const failing: Detector = { inspect: () => Promise.reject(new Error('out of order')) }
      const both = combinedDetector('words', [at(0.5, says(1)), at(0.5, failing)], { combine, threshold: 0.5 })
      expect(await both.inspect({ text: 'a' }, call).catch(String)).to.include('out of order')
    })

    for (const [what, wrong] of nonsense)
      it(`fail where one answers with ${what}: ${combine}`, async () => {
        const bad: SpanDetector = { inspect: () => Promise.resolve(wrong), inspectAcross: () => Promise.resolve(wrong) }
        const good: SpanDetector = { ...says(0), inspectAcross: () => Promise.resolve(inspection(0)) }
        const both = combinedDetector('words', [at(0.5, bad), at(0.5, good)], { combine, threshold: 0.5 })
        expect(await both.inspect({ text: 'abcd' }, call).catch(String)).to.include('outside')
        expect(await both.inspectAcross?.({ values: [{ text: 'abcd' }] }, call).catch(String)).to.include('outside')
      })

    it(`fail where one is missing: ${combine}`, async () => {
      const both = combinedDetector('words', [at(0.5, says(1)), at(0.5, undefined)], { combine, threshold: 0.5 })
      expect(await both.inspect({ text: 'a' }, call).catch(String)).to.include('words')
    })

    it(`leave what values say together to those that read it: ${combine}`, async () => {
      const reads: SpanDetector = { ...says(0), inspectAcross: () => Promise.resolve(inspection(0.9, [[1, 3]])) }
      const both = combinedDetector('words', [at(0.5, says(0)), at(0.5, reads)], { combine, threshold: 0.5 })
      const found = await both.inspectAcross?.({ values: [{ text: 'ab' }, { text: 'cd' }] }, call)
      expect(found && { score: found.score, spans: spansOf(found) }).to.deep.equal({ score: 0.9, spans: [[1, 3]] })
    })
  }

  it('leave what one says alone in its order', async () => {
    const one = says(0.9, [
      [4, 6],
      [0, 9],
    ])
    const alone = combinedDetector('words', [at(0.5, one)], { combine: 'all', threshold: 0.5 })
    expect(spansOf(await alone.inspect({ text: 'a'.repeat(9) }, call))).to.deep.equal([
      [4, 6],
      [0, 9],
    ])
  })

  it('hold what is open to any of them, and nothing is known where one cannot tell', async () => {
    const open = (start: number): SpanDetector => ({
      ...says(0),
      openSpans: () => Promise.resolve({ spans: [{ start, end: 9 }] }),
    })
    const both = combinedDetector('words', [at(0.5, open(1)), at(0.5, open(4))], { threshold: 0.5 })
    expect((await both.openSpans?.({ text: 'a' }, call))?.spans).to.deep.equal([
      { start: 1, end: 9 },
      { start: 4, end: 9 },
    ])
    expect(combinedDetector('words', [at(0.5, open(1)), at(0.5, says(0))], { threshold: 0.5 })).not.to.have.property(
      'openSpans',
    )
  })
})
