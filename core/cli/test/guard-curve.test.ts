import { expect } from 'chai'
import fc from 'fast-check'
import { drawCurve, plotCurve } from '../src/guard/curve.js'
import type { CurvePoint } from '../src/guard/curve.js'

const points = (...pairs: [number, number][]): CurvePoint[] =>
  pairs.map(([falseAlarms, recall]) => ({ falseAlarms, recall }))

describe('the curve of a detector', () => {
  // Of 51 columns, the first stands for no false alarms, the 26th for half of the harmless texts, the last for all.
  const cases: [string, CurvePoint[], Record<string, string>][] = [
    ['all told apart', points([0, 0.5], [0, 1], [1, 1]), { '100 % |': '*'.repeat(51), ' 50 % |': '' }],
    [
      'half found for half of the alarms',
      points([0, 0.5], [0.5, 1], [1, 1]),
      { '100 % |': ' '.repeat(25) + '*'.repeat(26), ' 50 % |': '*'.repeat(25) },
    ],
    [
      'nothing found before an alarm',
      points([0.02, 0], [0.02, 0.25]),
      { ' 25 % |': ` ${'*'.repeat(50)}`, '  0 % |': '*' },
    ],
  ]
  for (const [name, curve, expected] of cases)
    it(`is plotted for ${name}`, () => {
      const lines = plotCurve(curve)
      for (const [label, stars] of Object.entries(expected)) expect(lines).to.include(label + stars)
      expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(60)
    })

  it('has numbers below the places that they name', () => {
    const lines = plotCurve(points([1, 1]))
    expect(lines.slice(-3)).to.deep.equal([
      `      +${'-'.repeat(51)}`,
      `${' '.repeat(7)}0 %${' '.repeat(21)}50 %${' '.repeat(18)}100 %`,
      '       harmless texts that raise a false alarm',
    ])
  })

  it('is drawn from nothing to its last point, with places that are the same said once', () => {
    const svg = drawCurve('a', points([0, 0.5], [0, 0.50001], [0.25, 1]))
    expect(svg).to.contain('points="60.0,440.0 60.0,240.0 160.0,40.0"')
  })

  /** The texts of a document whose tags are closed in their order, and which has no bare `&`. */
  const textsOf = (xml: string): string[] => {
    const open: string[] = []
    const rest = xml.replace(
      /<(\/?)([a-z]+)((?: [\w-]+="[^"<&]*")*)(\/?)>/g,
      (_, closes: string, name: string, __, empty: string) => {
        if (closes) expect(open.pop()).to.equal(name)
        else if (!empty) open.push(name)
        return '\n'
      },
    )
    expect(open).to.deep.equal([])
    expect(rest).not.to.match(/[<>\0-\x08]|&(?!#\d+;)/)
    return rest.split('\n').filter(Boolean)
  }

  it('is well-formed XML with any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const [first] = textsOf(drawCurve(`t${title}`, points([0, 1], [1, 1])))
        expect(first).to.match(/^t/)
      }),
    )
    expect(textsOf(drawCurve('a & b <c>\0', points([1, 1])))).to.deep.equal([
      'a &#38; b &#60;c&#62;',
      ...[0, 20, 40, 60, 80, 100].flatMap((number) => [`${number} %`, `${number} %`]),
      'false alarms',
      'recall',
    ])
  })
})
