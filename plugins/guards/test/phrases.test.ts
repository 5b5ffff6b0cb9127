import { expect } from 'chai'
import { wordsOf } from '../src/classifiers/words.js'
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

  for (const [phrase, problem] of [
    ['<1> a', 'begins with a gap'],
    ['<1-x> a', 'begins with a gap'],
    ['a <1>', 'ends with one that bars nothing'],
    ['a <1> <2> b', 'two gaps in a row'],
    ['a <0-x> b', 'a malformed gap: <0-x>'],
  ] as const)
    it(`refuses "${phrase}": ${problem}`, () =>
      expect(() => parsePhrase(phrase, 'owner')).to.throw(RangeError, problem))
})
