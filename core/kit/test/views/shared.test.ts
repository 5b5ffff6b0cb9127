import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { once } from '../../src/views/shared.js'

const asking = (signal = new AbortController().signal, tenant = 'one') => ({ signal, tenant })
const long = 'x'.repeat(10_000)
let next = 0
/** A text that no other test has. */
const own = (text = '') => `${(next += 1)} ${text}`

describe('what is made of a text', () => {
  let made = 0
  const make = async () => {
    await wait(1)
    return (made += 1)
  }
  beforeEach(() => (made = 0))

  for (const [name, filler] of [
    ['a short text', ''],
    ['a long text', long],
  ] as const) {
    it(`is made once for all who ask at the same time: ${name}`, async () => {
      const text = own(filler)
      const all = [1, 2, 3].map(() => once(text, 'view', asking(), make))
      expect(await Promise.all(all)).to.deep.equal([1, 1, 1])
    })

    it(`is made again after a failure: ${name}`, async () => {
      const text = own(filler)
      const failing = once(text, 'view', asking(), () => Promise.reject(new Error('no')))
      expect(await once(text, 'view', asking(), make)).to.equal(1)
      expect(await failing.catch((error: unknown) => error)).to.have.property('message', 'no')
      expect(await once(text, 'view', asking(), make)).to.be.at.most(2)
    })
  }

  it('is another one for another name and tenant', async () => {
    const text = own()
    const asked = [
      once(text, 'view', asking(), make),
      once(text, 'other', asking(), make),
      once(text, 'view', asking(undefined, 'two'), make),
    ]
    expect(new Set(await Promise.all(asked)).size).to.equal(3)
  })

  it('is there for others when the first one who asked has gone', async () => {
    const text = own(long)
    const controller = new AbortController()
    const first = once(text, 'view', asking(controller.signal), async () => {
      await wait(20)
      controller.signal.throwIfAborted()
      return make()
    })
    const second = once(text, 'view', asking(), make)
    controller.abort(new Error('gone'))
    expect(await first.catch((error: unknown) => error)).to.have.property('message', 'gone')
    expect(await second).to.equal(1)
  })

  it('holds nobody whose call is aborted', async () => {
    const text = own()
    const controller = new AbortController()
    const first = once(text, 'view', asking(), make)
    const second = once(text, 'view', asking(controller.signal), make)
    controller.abort(new Error('enough'))
    expect(await second.catch((error: unknown) => error)).to.have.property('message', 'enough')
    expect(await first).to.equal(1)
  })

  it('is let go: of a long text once it is made, of others when some have come', async () => {
    for (const text of [own(long), own()]) {
      expect(await once(text, 'view', asking(), make)).to.equal(1)
      await once(own('y'.repeat(8188)), 'view', asking(), make)
      made = 10
      expect(await once(text, 'view', asking(), make)).to.equal(11)
      made = 0
    }
  })
})
