import { expect } from 'chai'
import { wordsOf } from '../src/heads/words.js'
import { parsePhrase, PhraseIndex } from '../src/rules/phrases.js'
import { pacerOf } from './support.js'

describe('phrases of rules', () => {
  for (const [phrase, text, end] of [
    ['a|b c*', 'a car', 5],
    ['a|b c*', 'a red car', undefined],
    ['a <1> c', 'a b c', 5],
    ['a <1> c', 'a b b c', undefined],
    ['a <2-not> c', 'a b c', 5],
    ['a <2-not> c', 'a not c', undefined],
    ['a <2-not> c', 'a b not c', undefined],
    ['a <2-not> c', 'a b b not c', undefined],
    ['a <1-not> not', 'a not', 5],
    ['a <2-x|y>', 'a', 1],
    ['a <2-x|y>', 'a b y', undefined],
    ['a <2-x|y>', 'a b b y', 1],
  ] as const)
    it(`"${phrase}" ${end === undefined ? 'does not fit' : 'fits'} "${text}"`, async () => {
      const words = await wordsOf(text, pacerOf())
      const [found] = new PhraseIndex([parsePhrase(phrase, 'owner')]).at(words, 0)
      expect(found && words[found.last]?.end).to.equal(end)
    })

  for (const phrase of ['<1> a', 'a <1>'])
    it(`"${phrase}" is none`, () => expect(() => parsePhrase(phrase, 'owner')).to.throw(RangeError, 'with a gap'))
})
