import { expect } from 'chai'
import { wordPieces } from '../src/models.js'
import { turnsOf, vectorsOf } from './support.js'

interface Vector {
  readonly text: string
  readonly windows: number
  /** Of the first window, between the ids of [CLS] and [SEP]. */
  readonly first_ids: readonly number[]
}

describe('pieces of words', () => {
  it('are those that the model was trained with', async () => {
    const pieces = await wordPieces()
    for (const { text, first_ids: ids } of vectorsOf<Vector>('guard')) {
      const cut = await pieces.cut(text, turnsOf())
      expect(cut.flatMap((word) => word.ids).slice(0, 62), JSON.stringify(text)).to.deep.equal(ids.slice(1, -1))
    }
  })

  for (const [name, text] of [
    ['one word', 'x'.repeat(1_000_000)],
    ['a script without spaces', '語'.repeat(300_000)],
    ['words that nobody knows', 'qzxv'.repeat(20).concat(' ').repeat(5_000)],
  ] as const)
    it(`are cut in linear time from ${name}`, async () => {
      const begin = performance.now()
      await (await wordPieces()).cut(text, turnsOf())
      expect(performance.now() - begin).to.be.at.most(4_000)
    })
})
