import type { Socket } from 'node:net'
import type { SallyportError } from '@sallyport/core'
import { expect } from 'chai'
import { WrongKeys } from '../src/auth/wrong-keys.js'
import { testKernel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { withServer } from './support/server.js'

describe('wrong keys', () => {
  it('are refused for a while where an address sends many, and right ones are not', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ url, get }) => {
      const status = async (key: string) => (await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key } })).status
      const statuses: number[] = []
      for (let at = 0; at < 12; at += 1) statuses.push(await status(`sp-wrong-${at}`))
      expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 401), 429, 429])
      expect((await get('/v1/models')).status).to.equal(200)
      expect((await fetch(`${url}/v1/models`)).status, 'no key is not a wrong one').to.equal(401)
      const limited = await fetch(`${url}/models`, { headers: { 'x-api-key': 'sp-wrong' } })
      expect([limited.status, limited.headers.get('retry-after')]).to.deep.equal([429, '6'])
      expect(await limited.json()).to.deep.equal({
        error: 'too many wrong keys came from this address: send a valid key, or wait',
      })
    })
  })

  const nobody = { authenticate: () => undefined }
  const codeOf = (keys: WrongKeys, address: string) => {
    const socket = { remoteAddress: address } as Socket
    try {
      keys.authenticate({ headers: { 'x-api-key': 'sp-wrong' }, socket }, nobody)
    } catch (error) {
      return (error as SallyportError).code
    }
    return 'none'
  }

  for (const { name, first, second, together } of [
    { name: 'addresses of IPv4', first: '192.0.2.1', second: '192.0.2.2', together: false },
    {
      name: 'addresses of one network of IPv6',
      first: '2001:db8:1:2::5',
      second: '2001:db8:1:2:3:4:5:6',
      together: true,
    },
    { name: 'addresses of two networks of IPv6', first: '2001:db8:1:2::5', second: '2001:db8:1:3::5', together: false },
    { name: 'short addresses of IPv6', first: '::1', second: '::2', together: true },
    { name: 'addresses of IPv4 in IPv6', first: '::ffff:192.0.2.1', second: '::ffff:192.0.2.2', together: false },
  ])
    it(`are counted for ${name}, ${together ? 'as one' : 'each'}`, () => {
      const keys = new WrongKeys(1)
      expect([codeOf(keys, first), codeOf(keys, first)]).to.deep.equal(['unauthenticated', 'rate_limited'])
      expect(codeOf(keys, second)).to.equal(together ? 'rate_limited' : 'unauthenticated')
    })

  it('are remembered of so many addresses, and forgotten with time', () => {
    let now = 0
    const keys = new WrongKeys(2, () => now)
    for (let address = 0; address < 10_100; address += 1) codeOf(keys, `10.${address >> 8}.${address & 255}.1`)
    expect(keys.size).to.equal(10_000)
    expect([1, 2, 3].map(() => codeOf(keys, '192.0.2.1')).at(-1)).to.equal('rate_limited')
    now += 60_000
    expect(codeOf(keys, '192.0.2.1')).to.equal('unauthenticated')
  })
})
