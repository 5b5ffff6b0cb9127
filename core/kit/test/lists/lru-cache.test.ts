import { expect } from 'chai'
import fc from 'fast-check'
import { LruCache } from '../../src/lists/lru-cache.js'

describe('values that were used recently', () => {
  it('make room for others, the one that was not used for longest first', () => {
    const kept = new LruCache<number>(2)
    kept.set('a', 1)
    kept.set('b', 2)
    kept.get('a')
    kept.set('c', 3)
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).to.deep.equal([1, undefined, 3])
  })

  it('are made once, also where they are undefined', () => {
    const kept = new LruCache<undefined>(2)
    let made = 0
    const make = () => void (made += 1)
    for (let time = 0; time < 3; time += 1) kept.getOrMake('a', make)
    expect(made).to.equal(1)
  })

  it('are not kept where one is heavier than all may be, and drive out nothing', () => {
    const kept = new LruCache<string>(5, (text) => text.length)
    kept.set('a', 'xx')
    expect(kept.getOrMake('b', () => 'x'.repeat(6))).to.equal('xxxxxx')
    expect([kept.get('a'), kept.get('b')]).to.deep.equal(['xx', undefined])
  })

  it('are kept where they weigh nothing', () => {
    const kept = new LruCache<string>(5, (text) => text.length)
    kept.set('a', '')
    expect(kept.get('a')).to.equal('')
  })

  it('never weigh more than they may, and are those that were used last', () => {
    const uses = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: 1, max: 12 })))
    fc.assert(
      fc.property(uses, (given) => {
        const kept = new LruCache<number>(10, (weight) => weight)
        let expected: [key: string, weight: number][] = []
        for (const [key, weight] of given) {
          kept.set(key, weight)
          expected = expected.filter(([other]) => other !== key)
          if (weight <= 10) expected.push([key, weight])
          while (expected.reduce((sum, [, each]) => sum + each, 0) > 10) expected.shift()
        }
        for (const key of 'abcdef') expect(kept.get(key)).to.equal(new Map(expected).get(key))
      }),
    )
  })
})
