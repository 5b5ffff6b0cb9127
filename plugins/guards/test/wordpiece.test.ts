import { expect } from 'chai'
import { loadTokenizer } from '../src/models.js'
import { expectLinear, pacerOf, vectorsOf } from './support.js'

interface Vector {
  readonly text: string
  readonly windows: number
  /** Of the first window, between the ids of [CLS] and [SEP]. */
  readonly first_ids: readonly number[]
}

describe('pieces of words', () => {
  it('are those that the model was trained with', async () => {
    const pieces = await loadTokenizer()
    for (const { text, first_ids: ids } of vectorsOf<Vector>('guard')) {
      const cut = await pieces.tokenize(text, pacerOf())
      expect(cut.flatMap((word) => word.ids).slice(0, 126), JSON.stringify(text)).to.deep.equal(ids.slice(1, -1))
    }
  })

  for (const [name, part] of [
    ['one word', 'x'],
    ['a script without spaces', '語'],
    ['words that nobody knows', `${'qzxv'.repeat(20)} `],
  ] as const)
    it(`are cut in linear time from ${name}`, async () => {
      const pieces = await loadTokenizer()
      await expectLinear((length) => pieces.tokenize(part.repeat(length / part.length), pacerOf()))
    }).timeout(120_000)
})
