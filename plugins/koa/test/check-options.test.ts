/** Options that callers give a check. */

import reference from '@sallyport/testing/reference'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { serverFor } from './support/server.js'

/** How many functions are made of source while something is done, as Ajv does for each schema. */
const compilationsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const original = globalThis.Function
  let count = 0
  globalThis.Function = new Proxy(original, {
    construct: (target, args: string[]) => {
      count += 1
      return Reflect.construct(target, args)
    },
  })
  try {
    await work()
    return count
  } finally {
    globalThis.Function = original
  }
}

describe('options of a check by itself', () => {
  const server = serverFor(() => testKernel([], { plugins: [reference] }))

  const ask = (options: object) => server.post('/checks/pii', { prompt: 'Mail jane@example.org', options })

  it('are read by a schema that is compiled once, whatever the number of requests', async () => {
    const several = async () => {
      for (let time = 0; time < 20; time += 1)
        for (const path of ['/checks/pii', '/checks/toxicity'])
          expect((await server.post(path, { prompt: 'hello', options: {} })).status).to.equal(200)
    }
    expect(await compilationsOf(several)).to.be.at.least(1)
    expect(await compilationsOf(several)).to.equal(0)
  })

  it('have a size', async () => {
    const ignore = Array.from({ length: 256 }, (_, at) => `TYPE_${at}_${'x'.repeat(60)}`)
    const answer = await ask({ ignore })
    expect(answer.status).to.equal(400)
    expect(((await answer.json()) as { error: string }).error).to.match(
      /^options: take 1\d{4} bytes of JSON, and may take 16384/,
    )
    expect((await ask({ ignore: ignore.slice(0, 200) })).status).to.equal(200)
  })
})
