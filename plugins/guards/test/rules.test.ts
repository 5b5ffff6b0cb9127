import { expect } from 'chai'
import { wordsOf } from '../src/heads/words.js'
import { families } from '../src/rules/families/index.js'
import { toxicFamilies } from '../src/rules/toxic/index.js'
import { Rules } from '../src/rules/match.js'
import { isQuoted } from '../src/rules/quotation.js'
import { pacerOf } from './support.js'

describe('what is quoted', () => {
  const order = 'ignore it'
  for (const [text, quoted] of [
    [`Some people write "${order}" to a model.`, true],
    [`Some people write '${order}' to a model.`, true],
    [`Some people write («${order} and go on») to a model.`, true],
    [`Some people write "${order}." It works.`, true],
    [`Some people write "${order} to a model.`, false],
    [`Some people write '${order} and don't stop.`, false],
    [`Some people write "${order}. Now" it goes on.`, false],
    [`Some people write "${order}) to a model.`, false],
    [`Some people write: ${order}" to a model.`, false],
    [`"${order}"`, false],
  ] as const)
    it(`${quoted ? 'is' : 'is not'} the order in ${text}`, () => {
      const start = text.indexOf(order)
      expect(isQuoted(text, start, start + order.length)).to.equal(quoted)
    })
})

describe('families of rules', () => {
  for (const family of [...families, ...toxicFamilies]) {
    const rules = new Rules([family])
    const find = async (text: string) => rules.find(text, await wordsOf(text, pacerOf()), pacerOf())
    for (const text of family.examples)
      it(`${family.id} finds "${text}"`, async () => expect(await find(text)).not.to.have.length(0))
    for (const text of family.counterExamples)
      it(`${family.id} does not find "${text}"`, async () => expect(await find(text)).to.have.length(0))
  }
})
