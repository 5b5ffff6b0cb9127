import { expect } from 'chai'
import fc from 'fast-check'
import { firstBytes } from '../../src/text/first-bytes.js'

describe('the first bytes of a text', () => {
  it('are its longest beginning that fits, of whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(60), (text, most) => {
        const beginnings = Array.from(text).map((_, at, all) => all.slice(0, at + 1).join(''))
        const longest = beginnings.filter((beginning) => Buffer.byteLength(beginning) <= most).at(-1) ?? ''
        expect(firstBytes(text, most)).to.equal(longest)
      }),
    )
  })
})
