import { expect } from 'chai'
import fc from 'fast-check'
import { alignPositions } from '../../src/output/alignment.js'

const words = fc
  .array(fc.constantFrom('a', 'b', 'the', ' ', '  ', '\n', '4111', 'Ann'), { maxLength: 80 })
  .map((parts) => parts.join(''))

describe('the alignment of a text with what became of it', () => {
  it('leaves nothing out, and changes no order', () => {
    fc.assert(
      fc.property(words, words, (text, changed) => {
        const mapPosition = alignPositions(text, changed)
        const places = Array.from({ length: text.length + 1 }, (_, position) => mapPosition(position))
        expect(places.at(-1)).to.equal(changed.length)
        if (text) expect(places[0]).to.equal(0)
        for (const [at, place] of places.entries()) expect(place).to.be.at.least(places[at - 1] ?? 0)
      }),
    )
  })

  it('keeps every position of what did not change', () => {
    fc.assert(
      fc.property(words, (text) => {
        const mapPosition = alignPositions(text, text)
        for (let position = 0; position <= text.length; position += 1) expect(mapPosition(position)).to.equal(position)
      }),
    )
  })

  for (const [what, text, changed, at, place] of [
    ['before a change', 'Ask Ann. Then go home now.', 'Ask <PERSON>. Then go home now.', 4, 4],
    ['in a change', 'Ask Ann. Then go home now.', 'Ask <PERSON>. Then go home now.', 6, 13],
    ['behind a change', 'Ask Ann. Then go home now.', 'Ask <PERSON>. Then go home now.', 9, 14],
    ['in what follows', 'Ask Ann. Then go home now.', 'Ask <PERSON>. Then go home now.', 11, 16],
    ['behind a change that takes words away', 'Call 415 555 2671 at once please.', 'Call *** at once please.', 18, 9],
    ['behind a change at the begin', 'Ann went home. Then she slept.', '<PERSON> went home. Then she slept.', 15, 20],
    ['before what was added at the begin', 'Ann', '\nAnn', 0, 0],
    ['in a line behind changes of each line', 'Ann\nBob\nEve Lee', 'X\nYY\nZ', 7, 4],
    ['behind a line, where lines are many', `${'Ann\n'.repeat(5000)}b`, `${'X\n'.repeat(5000)}b`, 4000, 2000],
    ['between two changes', 'Ann and some more Bob', 'X and some more YY', 4, 2],
  ] as const)
    it(`finds a place ${what}`, () => {
      expect(alignPositions(text, changed)(at)).to.equal(place)
    })
})
