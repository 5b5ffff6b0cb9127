import { expect } from 'chai'
import fc from 'fast-check'
import { testCall } from '@sallyport/testing'
import { readingsInTime } from '../../src/views/long-readings.js'
import { positionIn, positionsOf } from '../../src/views/positions.js'
import { readingsAfter } from '../../src/views/readings.js'
import { boundedEdits, invisibleText } from '../../src/views/edited.js'

const told = (before: string, text: string) =>
  readingsAfter(before, text).map(({ depth, before: lead, text: read, sourceOf }) => ({
    depth,
    lead,
    read,
    sources: Array.from({ length: read.length + 1 }, (_, at) => sourceOf({ start: at, end: at })),
  }))

describe('the readings of a long text', function () {
  this.timeout(60_000)
  const filler = 'The bridge is old, and nobody knows who built it. '.repeat(180)
  for (const [name, before, text] of [
    ['without escapes', 'before', filler],
    ['with escapes of JSON', 'it\\n', `\\u0061${filler}jane\\u0040example.com\\n`],
    ['with escapes of several formats and layers', '', `${filler}&amp;#64; %2540 \\\\u0040 <b>x</b>y ${filler}a&#98;c`],
  ] as const)
    it(`are those of a short one: ${name}`, async () => {
      const readings = await readingsInTime(before, text, testCall())
      const packed = readings.map(({ depth, before: lead, text: read, sourceOf }) => ({
        depth,
        lead,
        read,
        sources: Array.from({ length: read.length + 1 }, (_, at) => sourceOf({ start: at, end: at })),
      }))
      expect(packed).to.deep.equal(told(before, text))
    })

  it('are not made of more escapes than can be undone', async () => {
    const error: unknown = await readingsInTime('', '\\"'.repeat(2 ** 17 + 1), testCall()).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.have.property('code', 'safeguard_unavailable')
  })

  for (const [what, replacement, most] of [
    ['escapes', 'a', 2 ** 17],
    ['parts that are not shown', invisibleText, 2 ** 19],
  ] as const)
    it(`say which limit was reached: ${what}`, () => {
      const edits = Array.from({ length: most + 1 }, () => ({ start: 0, end: 0, replacement }))
      const problem = `a text has more than ${most} ${what}: send less at a time`
      expect(() => [...boundedEdits(edits)]).to.throw(`safeguard unavailable: ${problem}`)
      expect([...boundedEdits(edits.slice(1))]).to.have.length(most)
    })

  it('have positions that cross to other threads as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 }), fc.nat(9), (lengths, first) => {
        const sources = lengths.reduce((all, length) => [...all, (all.at(-1) ?? 0) + length], [first])
        const positions = positionsOf(lengths.length, (unit) => sources[unit] ?? NaN)
        expect(sources.map((_, unit) => positionIn(positions, unit))).to.deep.equal(sources)
      }),
    )
  })
})
