import { expect } from 'chai'
import { chat, failure } from '../../src/index.js'
import { guard } from '../../src/guard/guard.js'
import { noChecks } from '../../src/guard/effective-policy.js'
import { broken, call, echo, enforce, quiet } from './support.js'

describe('a detector that is loading', () => {
  it('blocks, and says when to ask again', async () => {
    const loading = () => Promise.reject(failure('not_ready', { state: 'loading' }, { retryAfter: 7 }))
    const policy = { ...noChecks, input: { injection: enforce } }
    const context = { ...quiet, policy, detectors: { ...quiet.detectors, injection: broken(loading) } }
    const asked = guard(chat, echo(), context).stream({ messages: [{ role: 'user', content: 'hello' }] }, call())
    const error: unknown = await asked[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'safeguard_unavailable', retryAfter: 7 })
  })
})
