import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { Pacer } from '../../src/async/pacer.js'

const { signal } = new AbortController()

const worksOf = (order: readonly string[]) => order.filter((one) => one !== 'loop')

const busy = (milliseconds: number) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('a pacer', () => {
  it('leaves the event loop to others when its share is used up, by whomever', async () => {
    const order: string[] = []
    const work = async (name: string) => {
      const pacer = new Pacer({ signal, tenant: name })
      for (const step of [1, 2, 3]) {
        await pacer.pause()
        order.push(`${name}${step}`)
        busy(10)
      }
    }
    const loop = (async () => {
      while (worksOf(order).length < 6) {
        order.push('loop')
        await nextTurn()
      }
    })()
    await Promise.all([work('a'), work('b'), loop])
    expect(worksOf(order)).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
    // The first of both are begun in one turn.
    expect(order.slice(order.indexOf('b1')).join(' ')).to.equal('b1 loop a2 loop b2 loop a3 loop b3')
  })

  it('lets tenants go on one after the other, however many of their calls wait', async () => {
    const order: string[] = []
    const work = async (tenant: string) => {
      await new Pacer({ signal, tenant }).pause()
      order.push(tenant)
      busy(10)
    }
    await nextTurn()
    await work('first')
    await Promise.all(['many', 'many', 'many', 'many', 'few', 'few'].map(work))
    expect(order).to.deep.equal(['first', 'many', 'few', 'many', 'few', 'many', 'many'])
  })

  it('lets nobody go on who has gone, though there is time', async () => {
    const pacer = new Pacer({ signal: AbortSignal.abort(new Error('gone')), tenant: 'a' })
    await nextTurn()
    const outcome = await pacer.pause().catch((error: unknown) => (error as Error).message)
    expect(outcome).to.equal('gone')
  })

  it('lets nobody go on who goes while waiting', async () => {
    const gone = new AbortController()
    const pacer = new Pacer({ signal: gone.signal, tenant: 'a' })
    await pacer.pause()
    busy(10)
    const waiting = pacer.pause()
    gone.abort(new Error('gone'))
    expect(await waiting.catch((error: unknown) => (error as Error).message)).to.equal('gone')
  })
})
