import { expect } from 'chai'
import { findPair } from '../src/pairs.js'

describe('the pair that serves another one', () => {
  for (const [asked, there, serving] of [
    ['de', ['de'], 'de'],
    ['de-AT', ['de'], 'de'],
    ['pt', ['pt-BR', 'pt-PT'], 'pt-BR'],
    ['pt-PT', ['pt-BR', 'pt-PT'], 'pt-PT'],
    ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['zh', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
    ['zh-Hant', ['zh-Hans'], undefined],
    ['zh-Hant', ['zh'], undefined],
    ['zh-CN', ['zh'], 'zh'],
    ['sr-Cyrl', ['sr-Latn'], undefined],
    ['sr', ['sr-Latn', 'sr-Cyrl'], 'sr-Cyrl'],
    ['fr', ['de'], undefined],
    ['no tag', ['de'], undefined],
  ] as const)
    it(`is ${serving ?? 'none'} for ${asked} where there is ${there.join(', ')}`, () => {
      const to = findPair(
        { source: 'en', target: asked },
        there.map((target) => ({ source: 'en', target })),
      )
      const from = findPair(
        { source: asked, target: 'en' },
        there.map((source) => ({ source, target: 'en' })),
      )
      expect([to?.target, from?.source]).to.deep.equal([serving, serving])
    })
})
