import { expect } from 'chai'
import { Shares } from '../../src/async/shares.js'

describe('shares of time', () => {
  const shares = () => {
    const all = new Shares()
    all.setActive(new Set(['a']))
    all.add('a', 10_000)
    return all
  }

  it('of a newcomer begin beside the others, with some time saved up', () => {
    const all = shares()
    all.setActive(new Set(['a', 'b']))
    expect([all.aheadBy('a'), all.aheadBy('b')]).to.deep.equal([500, 0])
  })

  it('are remembered of who comes back at once', () => {
    const all = shares()
    all.setActive(new Set(['a', 'b']))
    all.add('b', 600)
    all.setActive(new Set(['a']))
    all.setActive(new Set(['a', 'b']))
    expect([all.aheadBy('a'), all.aheadBy('b')]).to.deep.equal([0, 100])
  })

  it('that were used when nobody else was there are no debt', () => {
    const all = shares()
    all.setActive(new Set())
    all.setActive(new Set(['b']))
    all.setActive(new Set(['a', 'b']))
    expect([all.aheadBy('a'), all.aheadBy('b')]).to.deep.equal([500, 0])
  })

  it('are nothing to who is alone', () => {
    const all = shares()
    all.setActive(new Set(['b']))
    all.add('b', 5)
    expect(all.aheadBy('b')).to.equal(0)
  })
})
