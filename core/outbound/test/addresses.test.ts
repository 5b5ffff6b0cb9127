import { expect } from 'chai'
import { OutboundFetch } from '../src/index.js'
import { reasonOf, request } from './support/site.js'
import { recordSockets } from './support/socket-recorder.js'
import type { SocketRecorder } from './support/socket-recorder.js'

const open = { hosts: ['*'], privateAddresses: false }
const lan = { hosts: ['*'], privateAddresses: true }

/** Addresses, in every spelling that somebody has got through somewhere. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'loopback addresses': [
    ...['127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '017700000001', '2130706433', '127.0.0.1.', '127.255.255.254'],
    ...['１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ],
  'unspecified addresses': ['0', '0.0.0.0', '0x0', '[::]'],
  'private addresses': ['10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.1', '[fd00::1]', '[fc00::1]'],
  'shared addresses': ['100.64.0.1', '100.127.255.255'],
  'link-local addresses': ['169.254.169.254', '0xa9fea9fe', '2852039166', '[fe80::1]', '[febf::1]'],
  'metadata services elsewhere': [
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  'multicast and broadcast addresses': ['224.0.0.1', '239.255.255.250', '255.255.255.255', '[ff02::1]'],
  'documentation and benchmark addresses': [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]'],
  ],
  'reserved addresses': ['240.0.0.1', '192.0.0.1', '192.88.99.1', '[100::1]', '[fec0::1]', '[4000::1]', '[5f00::1]'],
  'IPv4 inside IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:169.254.169.254]', '[::ffff:8.8.8.8]', '[::127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2002:a00:1::]'],
    ...['[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[::ffff:0:127.0.0.1]'],
  ],
}

const notLan = new Set(Object.keys(refused).filter((kind) => !/^(loopback|private|shared)/.test(kind)))

describe('an address of a request', () => {
  let sockets: SocketRecorder
  beforeEach(() => (sockets = recordSockets()))
  afterEach(() => sockets.restore())

  const notAsked = () => Promise.reject(new Error('a name was looked up'))

  for (const [kind, hosts] of Object.entries(refused))
    for (const host of hosts)
      for (const scheme of ['http', 'https'])
        it(`leads to no connection: ${kind}, ${scheme}://${host}`, async () => {
          expect(await reasonOf(new OutboundFetch(open, notAsked).get(`${scheme}://${host}/`, request()))).to.equal(
            'unreachable',
          )
          expect(sockets.connections).to.deep.equal([])
        })

  for (const [kind, hosts] of Object.entries(refused))
    it(`${notLan.has(kind) ? 'leads to no connection' : 'connects'} where private ones are allowed: ${kind}`, async () => {
      for (const host of hosts)
        expect(await reasonOf(new OutboundFetch(lan, notAsked).get(`http://${host}/`, request()))).to.equal(
          'unreachable',
        )
      expect(sockets.connections).to.have.length(notLan.has(kind) ? 0 : hosts.length)
    })

  it('is connected to when it is public', async () => {
    for (const host of ['8.8.8.8', '0x08080808', '[2606:4700::1111]'])
      await reasonOf(new OutboundFetch(open, notAsked).get(`https://${host}/`, request()))
    expect(sockets.connections).to.deep.equal(['8.8.8.8:443', '8.8.8.8:443', '2606:4700::1111:443'])
  })

  for (const [address, reason] of [
    ['gopher://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['data:image/png;base64,AAAA', 'scheme'],
    ['blob:http://example.com/1', 'scheme'],
    ['unix:/var/run/docker.sock', 'scheme'],
    ['http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'scheme'],
    ['http://user@example.com/', 'credentials'],
    ['http://user:secret@example.com/', 'credentials'],
    ['http://:secret@example.com/', 'credentials'],
    ['http://example.com@127.0.0.1/', 'credentials'],
    ['http://127.0.0.1\\@example.com/', 'unreachable'],
    ['http:\\\\127.0.0.1\\', 'unreachable'],
    ['http:127.0.0.1', 'unreachable'],
    ['  http://127.0.0.1/  ', 'unreachable'],
    ['ht\ntp://127.0.0.1/', 'unreachable'],
    ['http://example.com:22/', 'host'],
    ['http://example.com:443/', 'host'],
    ['https://example.com:80/', 'host'],
    ['http://[fe80::1%25eth0]/', 'malformed'],
    ['http://exa mple.com/', 'malformed'],
    ['http://example.com:99999/', 'malformed'],
    ['http://', 'malformed'],
    ['//example.com/', 'malformed'],
    ['', 'malformed'],
  ] as const)
    it(`leads to no connection: ${JSON.stringify(address)}, for it is ${reason}`, async () => {
      expect(await reasonOf(new OutboundFetch(open, notAsked).get(address, request()))).to.equal(reason)
      expect(sockets.connections).to.deep.equal([])
    })

  for (const [address, message] of [
    ['secret:x', 'scheme: neither https nor http'],
    ['http://secret@example.com/', 'credentials: in the address'],
    ['https://example.com:22/secret?secret', 'host: example.com:22'],
  ] as const)
    it(`is quoted with host and port at most: ${address}`, async () => {
      const error = await new OutboundFetch(open).get(address, request()).catch((reason: unknown) => reason)
      expect(error).to.be.an('error').with.property('message', message)
    })
})

describe('the hosts that may be asked', () => {
  const asked = async (hosts: string[], address: string) => {
    const sockets = recordSockets()
    const resolve = () => Promise.resolve(['8.8.8.8'])
    try {
      const reason = await reasonOf(
        new OutboundFetch({ hosts, privateAddresses: false }, resolve).get(address, request()),
      )
      expect(sockets.connections).to.have.length(reason === 'host' ? 0 : 1)
      return reason !== 'host'
    } finally {
      sockets.restore()
    }
  }

  for (const [host, yes, no] of [
    ['*', ['https://a.example/', 'http://a.example/'], ['https://a.example:8443/']],
    ['*:8443', ['https://a.example:8443/', 'http://b.example:8443/'], ['https://a.example/']],
    ['a.example', ['https://a.example/x', 'https://A.EXAMPLE./'], ['https://b.a.example/', 'https://a.example.b/']],
    ['*.a.example', ['https://b.a.example/', 'https://c.b.a.example/'], ['https://a.example/', 'https://ba.example/']],
    ['a.example:8443', ['https://a.example:8443/'], ['https://a.example/', 'https://b.example:8443/']],
    ['a.example:443', ['https://a.example/', 'http://a.example:443/'], ['http://a.example/']],
    ['bücher.example', ['https://xn--bcher-kva.example/', 'https://BÜCHER.example/'], ['https://bucher.example/']],
    ['[2606:4700::1111]:81', ['http://[2606:4700:0:0::1111]:81/'], ['http://[2606:4700::1111]/']],
  ] as const)
    it(`are as ${host} says`, async () => {
      for (const address of yes) expect(await asked([host], address), address).to.equal(true)
      for (const address of no) expect(await asked([host], address), address).to.equal(false)
    })

  it('may be none', async () => {
    expect(await asked([], 'https://a.example/')).to.equal(false)
  })

  for (const host of [
    '',
    'https://a.example',
    'a.example/x',
    'a.*.example',
    'u@a.example',
    'a b',
    'a:b',
    '[::1',
    '1.2.3.4.5',
  ])
    it(`are refused where one is written as ${JSON.stringify(host)}`, () => {
      expect(() => new OutboundFetch({ hosts: [host], privateAddresses: false }))
        .to.throw('is not a host to fetch from')
        .with.property('code', 'config_invalid')
    })
})
