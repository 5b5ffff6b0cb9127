import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { rejection } from '@sallyport/stand-ins/errors'
import { streamUntilAborted, untilAborted } from '../../src/async/until-aborted.js'

describe('a promise under a signal', () => {
  it('fails unheard after the abort, and does not end the process', async () => {
    const late = Promise.reject(new Error('late'))
    const error = await rejection(untilAborted(late, AbortSignal.abort(new Error('gone'))))
    expect((error as Error).message).to.equal('gone')
  })
})

describe('a stream under a signal', () => {
  it('ends at once when the source ignores the abort, and tells the source', async () => {
    const controller = new AbortController()
    let returned = false
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          returned = true
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    setTimeout(() => controller.abort(new Error('gone')), 5)
    const error = await rejection(streamUntilAborted(source, controller.signal).next())
    expect((error as Error).message).to.equal('gone')
    expect(returned).to.equal(true)
  })

  it('ends where the abort came between two steps, and leaves no listener', async () => {
    const controller = new AbortController()
    const source = async function* () {
      for (let step = 0; ; step += 1) yield await Promise.resolve(step)
    }
    const stream = streamUntilAborted(source(), controller.signal)
    expect(await stream.next()).to.deep.equal({ value: 0, done: false })
    expect(getEventListeners(controller.signal, 'abort')).to.have.length(1)
    controller.abort(new Error('gone'))
    expect(((await rejection(stream.next())) as Error).message).to.equal('gone')
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
  })
})
