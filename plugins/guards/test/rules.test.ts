import { expect } from 'chai'
import { wordsOf } from '../src/heads/words.js'
import { families } from '../src/rules/families/index.js'
import { toxicFamilies } from '../src/rules/toxic/index.js'
import { Rules } from '../src/rules/match.js'
import { turnsOf } from './support.js'

describe('families of rules', () => {
  for (const family of [...families, ...toxicFamilies]) {
    const rules = new Rules([family])
    const find = async (text: string) => rules.find(text, await wordsOf(text, turnsOf()), turnsOf())
    for (const text of family.examples)
      it(`${family.id} finds "${text}"`, async () => expect(await find(text)).not.to.have.length(0))
    for (const text of family.counterExamples)
      it(`${family.id} does not find "${text}"`, async () => expect(await find(text)).to.have.length(0))
  }
})
