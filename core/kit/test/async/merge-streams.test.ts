import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { later } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { mergeStreams } from '../../src/async/merge-streams.js'

describe('merged streams', () => {
  async function* timed(name: string, delays: readonly number[]) {
    for (const [index, delay] of delays.entries()) yield await later(`${name}${index}`, delay)
  }

  it('yield every value of every stream, each stream in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }), { maxLength: 4 }),
        async (plans) => {
          const values: string[] = []
          for await (const value of mergeStreams(plans.map((delays, index) => timed(`${index}:`, delays))))
            values.push(value)
          plans.forEach((delays, index) => {
            const own = values.filter((value) => value.startsWith(`${index}:`))
            expect(own).to.deep.equal(delays.map((_, position) => `${index}:${position}`))
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  it('take turns where several have values at once', async () => {
    const ready = (name: string) => Readable.from([name, name, name]) as AsyncIterable<string>
    const values: string[] = []
    for await (const value of mergeStreams([ready('a'), ready('b')])) {
      values.push(value)
      await later(undefined, 0)
    }
    expect(values.join('')).to.equal('ababab')
  })

  it('end all when one fails', async () => {
    let closed = false
    async function* endless() {
      try {
        for (;;) yield await later('x', 1)
      } finally {
        closed = true
      }
    }
    async function* failing(): AsyncGenerator<string> {
      await later(0, 5)
      yield 'last'
      throw new Error('boom')
    }
    const error = await rejection(
      (async () => {
        for await (const value of mergeStreams([endless(), failing()])) expect(value).to.be.a('string')
      })(),
    )
    await later(0, 5)
    expect((error as Error).message).to.equal('boom')
    expect(closed).to.equal(true)
  })
})
