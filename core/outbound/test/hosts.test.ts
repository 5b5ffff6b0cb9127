import { expect } from 'chai'
import { AllowedHosts, outboundHostPattern } from '../src/hosts.js'

describe('hosts that may be asked', () => {
  const cases: readonly [pattern: string, allowed: readonly string[], refused: readonly string[]][] = [
    [
      'example.com',
      ['https://example.com/', 'http://EXAMPLE.com./', 'https://example.com:443/'],
      ['https://example.com:8443/', 'http://example.com:443/', 'https://a.example.com/'],
    ],
    ['*.example.com', ['https://a.example.com/'], ['https://example.com/', 'https://a.example.com:8443/']],
    ['*', ['https://a.example/', 'http://[2001:db8::1]/'], ['https://a.example:8443/', 'http://a.example:443/']],
    ['example.com:8443', ['https://example.com:8443/', 'http://example.com:8443/'], ['https://example.com/']],
    ['*:8443', ['https://a.example:8443/'], ['https://a.example/']],
    [
      'example.com:*',
      ['https://example.com/', 'http://example.com:1/', 'http://example.com:65535/'],
      ['http://a.example.com:1/', 'http://example.org:1/'],
    ],
    ['*.example.com:*', ['http://a.example.com:3000/'], ['http://example.com:3000/']],
    ['[2001:db8::1]:*', ['http://[2001:0db8::1]:3000/', 'https://[2001:db8::1]/'], ['http://[2001:db8::2]:3000/']],
    ['[::1]:3000', ['http://[::1]:3000/'], ['http://[::1]/', 'http://[::1]:3001/']],
    ['*:*', ['https://a.example/', 'http://127.0.0.1:3000/', 'http://[::1]:9/'], []],
  ]
  for (const [pattern, allowed, refused] of cases)
    it(`are, by ${pattern}, the host and port that it names`, () => {
      const hosts = new AllowedHosts([pattern])
      expect(allowed.filter((url) => !hosts.has(new URL(url)))).to.deep.equal([])
      expect(refused.filter((url) => hosts.has(new URL(url)))).to.deep.equal([])
      expect(pattern).to.match(new RegExp(outboundHostPattern))
    })

  for (const pattern of [
    ...['*:0', 'example.com:0', 'example.com:00080', 'example.com:65536', 'example.com:99999', 'example.com:'],
    ...['*.*', '*.*:*', '*.[::1]'],
    ...['example.com:**', 'example.com:8*', 'example.com:a', '*:*:*', '::1:*', '[::1', '', ':*', 'https://example.com'],
  ])
    it(`are not named by ${JSON.stringify(pattern)}`, () => {
      expect(() => new AllowedHosts([pattern])).to.throw('is not a host to fetch from')
      expect(pattern).not.to.match(new RegExp(outboundHostPattern))
    })
})
