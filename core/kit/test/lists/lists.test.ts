import { expect } from 'chai'
import fc from 'fast-check'
import { append } from '../../src/lists/append.js'
import { maxOf, minOf } from '../../src/lists/extremes.js'
import { firstRepeated } from '../../src/lists/repeated.js'

/** More than a call takes arguments. */
const long = Array.from({ length: 1_000_000 }, (_, index) => index)

describe('lists', () => {
  it('say their extremes however long they are', () => {
    expect([maxOf(long), minOf(long)]).to.deep.equal([999_999, 0])
  })

  it('say the extremes that Math says', () => {
    fc.assert(
      fc.property(fc.array(fc.double()), fc.double(), (values, bound) => {
        expect(maxOf(values, bound)).to.deep.equal(Math.max(bound, ...values))
        expect(minOf(values, bound)).to.deep.equal(Math.min(bound, ...values))
        expect([maxOf(values), minOf(values)]).to.deep.equal([Math.max(...values), Math.min(...values)])
      }),
    )
  })

  it('are put behind others however long they are', () => {
    const list = [-1]
    append(list, long)
    expect(list.slice(0, 3)).to.deep.equal([-1, 0, 1])
    expect(list).to.have.length(long.length + 1)
  })

  it('say which item is the first to repeat an earlier one', () => {
    expect(firstRepeated(['a', 'b', 'B', 'a'])).to.equal('a')
    expect(firstRepeated(['a', 'b', 'B', 'a'], (one) => one.toLowerCase())).to.equal('B')
    expect(firstRepeated(['a', 'b'])).to.equal(undefined)
  })
})
