import { expect } from 'chai'
import { Admission } from '../../src/limits/admission.js'
import { completeOptions } from '../../src/options.js'

describe('the weight of a key', () => {
  it('says how often its requests have their turn where they wait', async () => {
    const weights: Record<string, number> = { a: 1, b: 3 }
    const { limits } = completeOptions({ limits: { concurrency: 1, queue: 1000 } })
    const gate = new Admission(limits, (tenant) => weights[tenant] ?? 1)
    const order: string[] = []
    const { signal } = new AbortController()
    const requests = Array.from({ length: 400 }, (_, at) => {
      const tenant = at % 2 ? 'a' : 'b'
      return gate.run(tenant, signal, () => Promise.resolve(void order.push(tenant)))
    })
    await Promise.all(requests)
    const first = order.slice(0, 200)
    expect(first.filter((tenant) => tenant === 'b').length).to.be.closeTo(150, 15)
  })
})
