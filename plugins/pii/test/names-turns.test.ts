import { countTurns } from '@sallyport/testing'
import { expect } from 'chai'
import { NameModel } from '../src/model/names.js'
import { callOf } from './support.js'

describe('the search for what a model of names is to read', () => {
  for (const [name, text] of [
    ['marks', 'a\u0301\u0302\u0303'.repeat(500_000)],
    ['addresses', 'zoe.quux@mail.example.org, '.repeat(40_000)],
    ['brackets', '['.repeat(2_000_000)],
  ] as const)
    it(`leaves the event loop to others: ${name}`, async () => {
      const names = new NameModel(() => ({ classify: ({ texts }) => Promise.resolve({ spans: texts.map(() => []) }) }))
      expect(await countTurns(() => names.find(text, callOf(), true))).to.be.above(3)
    })
})
