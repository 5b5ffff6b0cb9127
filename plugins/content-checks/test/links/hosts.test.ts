import { expect } from 'chai'
import { findingsIn } from './support.js'

const isFound = async (address: string, allow: readonly string[]) =>
  (await findingsIn(`![a](${address})`, { allow })).length > 0

describe('the hosts that are listed', () => {
  const allow = ['good.example', '*.cdn.example', 'port.example:8443', 'bücher.example']
  for (const address of [
    'https://good.example/?q=1',
    'http://GOOD.example./x',
    'https://good.example:443/x',
    '//good.example/x',
    'https://user@good.example/x',
    'https://a.b.cdn.example/x',
    'https://port.example:8443/x',
    'https://xn--bcher-kva.example/x',
    'https://ｇｏｏｄ.example/x',
  ])
    it(`may be loaded from: ${address}`, async () => expect(await isFound(address, allow)).to.equal(false))

  for (const address of [
    'https://good.example@evil.example/',
    'https://good.example:x@evil.example/',
    'https://evil.example/good.example',
    'https://evil.example?good.example',
    'https://evil.example#good.example',
    String.raw`https://evil.example\@good.example/`,
    String.raw`https:\\evil.example\good.example`,
    'https:evil.example',
    'https:///evil.example',
    'https://good.example.evil.example/',
    'https://evilgood.example/',
    'https://cdn.example/',
    'https://evilcdn.example/',
    'https://good.example:8443/',
    'https://port.example/',
    'https://gооd.example/',
    'https://good%2eexample.evil.example/',
    'https://%65vil.example/',
    'https://evil.example/?u=https://good.example',
    'h\nttps://evil.example/',
    'https://evil&period;example/',
    'https://2130706433/',
    'wss://evil.example/',
    'custom://evil.example/',
    'https://exa\u00admple.evil.example',
  ])
    it(`are not others that look like them: ${JSON.stringify(address)}`, async () =>
      expect(await isFound(address, allow)).to.equal(true))
})

describe('options', () => {
  const plain = 'See [docs](https://react.example/learn) and https://react.example/learn.'
  it('report any link', async () =>
    expect((await findingsIn(plain, { links: 'any' })).map(({ type }) => type)).to.deep.equal(['LINK', 'LINK']))
  it('report any address', async () =>
    expect((await findingsIn(plain, { addresses: 'any' })).map(({ type }) => type)).to.deep.equal(['ADDRESS']))
  it('leave bare addresses alone', async () =>
    expect(await findingsIn('See https://react.example/?q=1', { addresses: 'none' })).to.deep.equal([]))
  it('take hosts from the list', async () =>
    expect(await findingsIn('See https://react.example/?q=1', { allow: ['react.example'] })).to.deep.equal([]))
})
