import { expect } from 'chai'
import { oneChunk, singleChunk } from '../../src/async/single-chunk.js'

describe('a stream of one chunk', () => {
  it('is the piece', async () => {
    for (const piece of ['a', undefined]) expect(await singleChunk(oneChunk(piece))).to.equal(piece)
  })

  for (const [what, pieces] of [
    ['none', []],
    ['several', [1, 2, 3]],
  ] as const)
    it(`has not ${what}, and is ended`, async () => {
      let ended = false
      const stream = async function* () {
        try {
          for (const piece of pieces) yield await Promise.resolve(piece)
        } finally {
          ended = true
        }
      }
      expect(await singleChunk(stream()).catch(String)).to.equal(`TypeError: a stream of one chunk has ${what}`)
      expect(ended).to.equal(true)
    })
})
