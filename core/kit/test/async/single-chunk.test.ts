import { expect } from 'chai'
import { oneChunk, singleChunk } from '../../src/async/single-chunk.js'

describe('a stream of one chunk', () => {
  it('is the chunk', async () => {
    for (const chunk of ['a', undefined]) expect(await singleChunk(oneChunk(chunk))).to.equal(chunk)
  })

  for (const [what, chunks] of [
    ['none', []],
    ['several', [1, 2, 3]],
  ] as const)
    it(`has not ${what}, and is ended`, async () => {
      let ended = false
      const stream = async function* () {
        try {
          for (const chunk of chunks) yield await Promise.resolve(chunk)
        } finally {
          ended = true
        }
      }
      expect(await singleChunk(stream()).catch(String)).to.equal(`TypeError: a stream of one chunk has ${what}`)
      expect(ended).to.equal(true)
    })
})
