import { expect } from 'chai'
import { countTurns } from '../../src/index.js'

describe('countTurns', () => {
  it('counts each pause as one turn', async () => {
    const pauseTwice = async (pacer: { pause: () => Promise<void> }) => {
      await pacer.pause()
      await pacer.pause()
    }
    expect(await countTurns(pauseTwice)).to.be.within(2, 3)
  })

  it('rejects with the error of the work, and leaves no rejection without a handler', async () => {
    const error = new Error('broken')
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const turns = countTurns(async (pacer) => {
      await pacer.pause()
      throw error
    })
    expect(await turns.catch((reason: unknown) => reason)).to.equal(error)
    process.off('unhandledRejection', listener)
    expect(unhandled).to.deep.equal([])
  })
})
