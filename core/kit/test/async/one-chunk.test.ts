import { expect } from 'chai'
import { oneChunk, onlyChunk } from '../../src/async/one-chunk.js'

describe('a stream of one chunk', () => {
  it('is the piece', async () => {
    for (const piece of ['a', undefined]) expect(await onlyChunk(oneChunk(piece))).to.equal(piece)
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
      expect(await onlyChunk(stream()).catch(String)).to.equal(`TypeError: a stream of one chunk has ${what}`)
      expect(ended).to.equal(true)
    })
})
