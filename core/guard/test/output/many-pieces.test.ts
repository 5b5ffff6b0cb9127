import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatCapability } from '@sallyport/core'
import { call } from '@sallyport/stand-ins/call'
import { noChecks, guard, quiet, replace } from '../support.js'

const count = 100_000

/** Held as a whole, for it begins as JSON does. */
const model: ChatCapability = {
  async *stream() {
    for (let said = 0; said < count; said += 1) yield { delta: '[[' }
    yield await Promise.resolve({ finish: 'stop' as const })
  },
}
const policy = { ...noChecks, output: { pii: { ...replace, budget: 60_000 } } }
const request = { messages: [{ role: 'user' as const, content: 'hi' }] }

describe('an answer of very many pieces', () => {
  it('leaves in turns with everything else', async () => {
    let [turns, ended, pieces, turnsBefore] = [0, false, 0, 0]
    const others = (async () => {
      for (; !ended; turns += 1) await nextTurn()
    })()
    for await (const piece of guard(chat, model, { ...quiet, policy }).stream(request, call())) {
      if (pieces === 0) turnsBefore = turns
      pieces += 'delta' in piece ? 1 : 0
    }
    ended = true
    await others
    expect(pieces).to.equal(count)
    expect(turns - turnsBefore).to.be.at.least(3)
  }).timeout(60_000)

  it('is given up when its reader leaves', async () => {
    const gone = new AbortController()
    let pieces = 0
    const leave = async () => {
      for await (const piece of guard(chat, model, { ...quiet, policy }).stream(request, call(gone.signal))) {
        expect(piece).to.have.property('delta')
        if ((pieces += 1) === 1000) gone.abort(new Error('gone'))
      }
    }
    expect(await leave().catch((error: unknown) => error)).to.have.property('message', 'gone')
    expect(pieces).to.be.below(count)
  }).timeout(60_000)
})
