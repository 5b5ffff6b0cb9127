import { expect } from 'chai'
import type { AddonModel } from '../src/engine/addon.js'
import { Vocabulary } from '../src/engine/vocabulary.js'

const attributes = { unknown: 1, normal: 4, control: 8 } as const

type TokenEntry = readonly [text: string, attribute: keyof typeof attributes]

/** As much of a loaded file as tells the unknown token. */
const vocabularyOf = (tokens: readonly TokenEntry[]) => {
  const model: Partial<AddonModel> = {
    getVocabularyType: () => 2,
    getTokenString: (id) => tokens[id]?.[0] ?? '',
    getTokenAttributes: (id) => attributes[tokens[id]?.[1] ?? 'normal'],
    tokenize: (text) => Uint32Array.from(Buffer.from(text)),
  }
  return new Vocabulary(model as AddonModel, tokens.length, { spacePrefix: false, separatesWords: true })
}

describe('the token that stands for what is not in the vocabulary', () => {
  const cases: readonly [what: string, tokens: readonly TokenEntry[], ids: readonly number[]][] = [
    [
      'the one that the file marks',
      [
        ['a', 'normal'],
        ['<unk>', 'control'],
        ['??', 'unknown'],
      ],
      [2],
    ],
    [
      'the one that is called so',
      [
        ['a', 'normal'],
        ['<s>', 'control'],
        ['[UNK]', 'control'],
      ],
      [2],
    ],
    [
      'those of U+FFFD where there is none',
      [
        ['a', 'normal'],
        ['<s>', 'control'],
      ],
      [0xef, 0xbf, 0xbd],
    ],
  ]
  for (const [what, tokens, ids] of cases)
    it(`is ${what}`, () => {
      expect(vocabularyOf(tokens).unknown).to.deep.equal(ids)
    })
})
