import { expect } from 'chai'
import { wordsOf } from '../src/heads/words.js'
import { families } from '../src/rules/families/index.js'
import { toxicFamilies } from '../src/rules/toxic/index.js'
import { Elsewhere } from '../src/rules/elsewhere.js'
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

describe('sentences of something else', () => {
  const elsewhere = new Elsewhere(['phone*', 'how do|can i'], ['answer*'])
  for (const [text, expected] of [
    ['Enter it on my phone now', true],
    ['How do I enter it', true],
    ['Ask how. I enter it', false],
    ['Enter it', false],
    ['Enter it on my phone and answer', false],
    ['My phone is old. Enter it now', false],
    ['Enter it\non my phone', false],
    [`Enter it${' on'.repeat(30)} my phone`, false],
  ] as const)
    it(`${expected ? 'are' : 'are not'} "${text.slice(0, 40)}"`, async () => {
      const words = await wordsOf(text, pacerOf())
      const at = words.findIndex(({ word }) => word === 'enter')
      expect(elsewhere.isSo(text, words, at, at + 1)).to.equal(expected)
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
