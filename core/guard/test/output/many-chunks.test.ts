import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatCapability } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, replace } from '../support.js'

const count = 100_000

/** Held as a whole, for it begins as JSON does. */
const model: ChatCapability = {
  async *stream() {
    for (let said = 0; said < count; said += 1) yield { delta: '[[' }
    yield await Promise.resolve({ finish: 'stop' as const })
  },
}
const policy = { output: { pii: { ...replace, budget: 60_000 } } }
const request = { messages: [{ role: 'user' as const, content: 'hi' }] }

describe('an answer of very many chunks', () => {
  it('leaves in turns with everything else', async () => {
    let [turns, ended, chunks, turnsBefore] = [0, false, 0, 0]
    const others = (async () => {
      for (; !ended; turns += 1) await nextTurn()
    })()
    for await (const chunk of guard(chat, model, { policy }).stream(request, testCall())) {
      if (chunks === 0) turnsBefore = turns
      chunks += 'delta' in chunk ? 1 : 0
    }
    ended = true
    await others
    expect(chunks).to.equal(count)
    expect(turns - turnsBefore).to.be.at.least(3)
  }).timeout(60_000)

  it('is given up when its reader leaves', async () => {
    const gone = new AbortController()
    let chunks = 0
    const leave = async () => {
      for await (const chunk of guard(chat, model, { policy }).stream(request, testCall({ signal: gone.signal }))) {
        expect(chunk).to.have.property('delta')
        if ((chunks += 1) === 1000) gone.abort(new Error('gone'))
      }
    }
    expect(await leave().catch((error: unknown) => error)).to.have.property('message', 'gone')
    expect(chunks).to.be.below(count)
  }).timeout(60_000)
})
