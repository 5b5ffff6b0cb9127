import { expect } from 'chai'
import { OutboundFetch } from '../src/index.js'
import { resolveByDns } from '../src/resolve.js'
import { reasonOf, request, startSite } from './support/site.js'
import { recordSockets } from './support/socket-recorder.js'
import type { SocketRecorder } from './support/socket-recorder.js'

const open = { hosts: ['*'], privateAddresses: false }

/** One answer after the other, as a name server that its owner has prepared gives them. */
const answering = (...answers: string[][]) => {
  const names: string[] = []
  const resolve = (name: string) => {
    names.push(name)
    return Promise.resolve(answers[names.length - 1] ?? [])
  }
  return { names, resolve }
}

describe('the addresses of a name', () => {
  let sockets: SocketRecorder
  beforeEach(() => (sockets = recordSockets()))
  afterEach(() => sockets.restore())

  it('are asked for once, and the connection goes where was checked', async () => {
    const { names, resolve } = answering(['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1'])
    expect(await reasonOf(new OutboundFetch(open, resolve).get('https://rebinding.example/', request()))).to.equal(
      'unreachable',
    )
    expect(names).to.deep.equal(['rebinding.example'])
    expect(sockets.connections).to.deep.equal(['8.8.8.8:443'])
  })

  it('are looked up for every address that a request names', async () => {
    const { names, resolve } = answering(['8.8.8.8'], ['127.0.0.1'])
    const fetching = new OutboundFetch(open, resolve)
    await reasonOf(fetching.get('https://rebinding.example/', request()))
    await reasonOf(fetching.get('https://rebinding.example/', request()))
    expect(names).to.have.length(2)
    expect(sockets.connections).to.deep.equal(['8.8.8.8:443'])
  })

  for (const [what, addresses] of Object.entries({
    'one that is private': ['192.168.0.1'],
    'a private one behind a public one': ['8.8.8.8', '10.0.0.1'],
    'a private one before a public one': ['::1', '8.8.8.8'],
    'one with IPv4 inside': ['::ffff:8.8.8.8'],
    'what is no address': ['8.8.8.8', 'elsewhere.example'],
    none: [],
  }))
    it(`lead to no connection where there is ${what}`, async () => {
      const fetching = new OutboundFetch(open, answering(addresses).resolve)
      expect(await reasonOf(fetching.get('http://mixed.example/', request()))).to.equal('unreachable')
      expect(sockets.connections).to.deep.equal([])
    })

  it('are tried up to the fourth', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `8.8.4.${index}`)
    await reasonOf(new OutboundFetch(open, answering(many).resolve).get('http://many.example/', request()))
    expect(sockets.connections).to.have.length(4)
  })

  it('are those of this machine for localhost, without asking anybody', async () => {
    for (const name of ['localhost', 'a.localhost', 'LOCALHOST.'])
      expect(await resolveByDns(name, new AbortController().signal)).to.deep.equal(['127.0.0.1', '::1'])
    expect(await reasonOf(new OutboundFetch(open).get('http://localhost/', request()))).to.equal('unreachable')
    expect(sockets.connections).to.deep.equal([])
  })

  it('are not waited for beyond the deadline', async () => {
    const never = () => new Promise<string[]>(() => undefined)
    const begun = performance.now()
    expect(
      await reasonOf(new OutboundFetch(open, never).get('http://silent.example/', request({ seconds: 0.1 }))),
    ).to.equal('unreachable')
    expect(performance.now() - begun).to.be.lessThan(2000)
  })
})

describe('a name of this machine', () => {
  it('is asked by its name at the address that it stands for', async () => {
    const site = await startSite((_, response) => response.end('there'))
    const port = Number(site.host.split(':')[1])
    try {
      const rules = { hosts: [`pictures.example:${port}`], privateAddresses: true }
      const fetching = new OutboundFetch(rules, answering(['127.0.0.1'], ['127.0.0.2']).resolve)
      const body = await fetching.get(`http://pictures.example:${port}/a?b=c#d`, request())
      expect(body.toString()).to.equal('there')
      expect(site.requests.map(({ url, headers }) => [headers.host, url])).to.deep.equal([
        [`pictures.example:${port}`, '/a?b=c'],
      ])
    } finally {
      await site.stop()
    }
  })
})
