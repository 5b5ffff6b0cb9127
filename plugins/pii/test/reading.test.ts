import { expect } from 'chai'
import fc from 'fast-check'
import { findingsIn } from './support.js'

describe('a text, however it is written', () => {
  it('is inspected whatever it is made of, and findings lie in it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
        async (noise) => {
          const text = `${noise} jane@example.org ${noise}`
          const findings = await findingsIn(text)
          for (const { start, end } of findings) {
            expect(start).to.be.at.least(0).and.below(end)
            expect(end).to.be.at.most(text.length)
          }
          expect(findings.some(({ type }) => type === 'EMAIL_ADDRESS')).to.equal(true)
        },
      ),
      { numRuns: 300 },
    )).timeout(60_000)
})
