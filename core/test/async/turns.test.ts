import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { Turns } from '../../src/async/turns.js'

const { signal } = new AbortController()

const worksOf = (order: readonly string[]) => order.filter((one) => one !== 'loop')

const busy = (milliseconds: number) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('turns of the event loop', () => {
  it('are left to others when their share is used up, by whomever', async () => {
    const order: string[] = []
    const work = async (name: string) => {
      const turns = new Turns({ signal, tenant: name })
      for (const step of [1, 2, 3]) {
        await turns.pause()
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

  it('are given to tenants one after the other, however many wait for each', async () => {
    const order: string[] = []
    const work = async (tenant: string) => {
      await new Turns({ signal, tenant }).pause()
      order.push(tenant)
      busy(10)
    }
    await nextTurn()
    await work('first')
    await Promise.all(['many', 'many', 'many', 'many', 'few', 'few'].map(work))
    expect(order).to.deep.equal(['first', 'many', 'few', 'many', 'few', 'many', 'many'])
  })

  it('come to nobody who has gone', async () => {
    const gone = new AbortController()
    const turns = new Turns({ signal: gone.signal, tenant: 'a' })
    await turns.pause()
    busy(10)
    const waiting = turns.pause()
    gone.abort(new Error('gone'))
    expect(await waiting.catch((error: unknown) => (error as Error).message)).to.equal('gone')
  })
})
