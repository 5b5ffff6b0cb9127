import { expect } from 'chai'
import fc from 'fast-check'
import { codePointOffsets, countCodePoints } from '../../src/text/code-points.js'

describe('offsets in code points', () => {
  it('are counted from those in UTF-16, in any order', () => {
    const offsets = codePointOffsets('a😀b😀', [6, 0, 3, 1, 4])
    expect([0, 1, 3, 4, 6].map((position) => offsets.get(position))).to.deep.equal([0, 1, 2, 3, 4])
  })
})

describe('the number of code points', () => {
  it('is that of what an iteration gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00', '日') }), (text) => {
        expect(countCodePoints(text)).to.equal(Array.from(text).length)
      }),
    )
  })
})
