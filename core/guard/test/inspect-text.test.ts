import { expect } from 'chai'
import fc from 'fast-check'
import type { ComparisonInspection, Finding, SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { inspectText, replaceInText } from '../src/inspect-text.js'
import { asked, only, onlySpans, piiFinder, replace } from './support.js'

const inspection = (findings: Finding[], more: Partial<ComparisonInspection> = {}): ComparisonInspection => ({
  ...{ findings, score: Math.max(0, ...findings.map(({ score }) => score)), explanation: '' },
  ...{ detector: 'test/1', latency: 2, ...more },
})

/** What the detector answers, by reading. */
const answering = (answers: Readonly<Record<string, ComparisonInspection>>): SpanDetector => ({
  inspect: ({ text }) => Promise.resolve(answers[text] ?? inspection([])),
})

const inspected = (check: Parameters<typeof only>[0], text: string, detector: SpanDetector, policy = {}) =>
  inspectText(only(check, detector, policy), { text, reference: 'a reference' }, testCall())

const found = (type: string, start: number, end: number, score: number): Finding => ({ type, start, end, score })

describe('a detector that is asked about every reading of a text', () => {
  it('says of a text with one reading what it says', async () => {
    const said = inspection([found('A', 0, 2, 0.4), found('B', 0, 1, 0.9)], { explanation: 'so' })
    expect(await inspected('pii', 'ab', answering({ ab: said }))).to.equal(said)
  })

  it('is reported with the worst reading, and the milliseconds of all', async () => {
    const grave = inspection([], { score: 0.8, explanation: 'grave' })
    const answers = { 'a&#98;': inspection([], { score: 0.3 }), ab: grave }
    expect(await inspected('injection', 'a&#98;', answering(answers))).to.deep.equal({ ...grave, latency: 4 })
  })

  it('has its claims where they stand in the text', async () => {
    const claim = { start: 1, end: 3, score: 0.9, support: [{ start: 0, end: 9 }], differences: [] }
    const { claims } = await inspected(
      'factuality',
      'a&#98;c',
      answering({ abc: inspection([], { score: 0.9, claims: [claim] }) }),
    )
    expect(claims).to.deep.equal([{ ...claim, end: 7 }])
  })

  const text = 'x@y&#46;z w'
  const cases: {
    name: string
    capability: 'toxicity' | 'injection' | 'pii'
    stands: Finding[]
    undone: Finding[]
    expected: Finding[]
  }[] = [
    {
      name: 'counts what is found in both once, with the higher score',
      capability: 'toxicity',
      stands: [found('A', 10, 11, 0.5)],
      undone: [found('A', 6, 7, 0.7)],
      expected: [found('A', 10, 11, 0.7)],
    },
    {
      name: 'keeps what is found within another type',
      capability: 'injection',
      stands: [found('A', 0, 3, 0.5)],
      undone: [found('B', 0, 5, 0.7)],
      expected: [found('B', 0, 9, 0.7), found('A', 0, 3, 0.5)],
    },
    {
      name: 'leaves out what is personal information within another one',
      capability: 'pii',
      stands: [found('URL', 2, 3, 0.9)],
      undone: [found('EMAIL', 0, 5, 0.7)],
      expected: [found('EMAIL', 0, 9, 0.9)],
    },
    {
      name: 'keeps what goes beyond another finding',
      capability: 'pii',
      stands: [found('A', 8, 11, 0.5)],
      undone: [found('A', 0, 5, 0.7)],
      expected: [found('A', 0, 9, 0.7), found('A', 8, 11, 0.5)],
    },
  ]
  for (const { name, capability, stands, undone, expected } of cases)
    it(name, async () => {
      const answers = { [text]: inspection(stands), 'x@y.z w': inspection(undone) }
      const { findings } = await inspected(capability, text, answering(answers))
      expect(findings).to.deep.equal(expected)
    })

  it('is asked about values that stand beside each other, and each has its part', async () => {
    const secret = { ...inspection([found('SECRET', 0, 4, 0.9)]), detector: 'across' }
    const across = { ...answering({}), inspectAcross: () => Promise.resolve(secret) }
    const { findings, score } = await inspected('pii', '["ab","cd"]', across)
    expect(findings).to.deep.equal([found('SECRET', 2, 4, 0.9), found('SECRET', 7, 9, 0.9)])
    expect(score).to.equal(0.9)
    const ignoring = await inspected('pii', '["ab","cd"]', across, { ignore: ['SECRET'] })
    expect(ignoring.findings).to.deep.equal([])
  })

  it('finds every occurrence, and none twice', async () => {
    const chunk = fc.constantFrom('12', '&#49;2', '\\u00312', ' ', 'a', '\\n', '\\\\')
    const written = fc.array(chunk, { maxLength: 12 }).map((chunks) => chunks.join(' '))
    await fc.assert(
      fc.asyncProperty(written, async (one) => {
        const detector = piiFinder('12')
        const { findings } = await inspected('pii', one, detector)
        expect(findings.map(({ start, end }) => one.slice(start, end))).to.deep.equal(
          one.match(/12|&#49;2|\\u00312/g) ?? [],
        )
      }),
    )
  })
})

describe('the replacement in all readings of a text', () => {
  it('is that of the chain', async () => {
    const chunk = fc.constantFrom('1234', '&#49;234', '\\u0031234', '"', ',', '{"a":', '}', ' ', 'b')
    const written = fc.array(chunk, { maxLength: 8 }).map((chunks) => chunks.join(''))
    const detector = piiFinder('1234')
    await fc.assert(
      fc.asyncProperty(written, async (one) => {
        const policy = { input: { pii: { ...replace, budget: 60_000 } } }
        const chained = await asked({ messages: [{ role: 'user', content: one }] }, policy, detector)
        const alone = await replaceInText(onlySpans(detector), { text: one }, testCall()).catch(
          (error: unknown) => (error as Error).message,
        )
        expect(alone).to.equal(chained)
      }),
    )
  })
})
