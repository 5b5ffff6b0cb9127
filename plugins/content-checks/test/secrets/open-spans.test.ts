import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { expectNoCutIn, lastCut } from '../open-spans.js'
import { detector, findingsIn, hexadecimal, key, pem, random, whole } from './support.js'

describe('the open spans of a text with secrets that grows', () => {
  for (const text of [
    whole(`a gh¦p_${random(36)} b, c`),
    `a ghp\u00ad_\u200b${random(36)} b, c`,
    `a ghр_${random(36)} b`,
    `the password is kT3x!${random(9)}. Fine`,
    `postgres://app:${random(14)}@db/x and eyJ${random(20)}.eyJ${random(40)}.${random(43)} b`,
    `apiVersion: v1\ndata:\n  a: ${random(24)}\nkind: Secret\n---\nb`,
    `a\n${pem(key, 3)}\nb`,
  ])
    it(`hold all of ${JSON.stringify(text.slice(0, 24))}…`, () => expectNoCutIn(detector, text)).timeout(20_000)

  for (const text of [
    'Hello there. ',
    'The password is: ',
    'A rule:\n\n---\n\nmore ',
    `done: ${hexadecimal(40)} is the commit `,
  ])
    it(`are none at the end of ${JSON.stringify(text)}`, async () =>
      expect(await lastCut(detector, text)).to.equal(text.length))
})

describe('a private key in a text that grows', () => {
  const begin = 'Here it is:\n'
  const block = pem(`RSA ${key}`, 24)

  it('is let out nowhere until it has ended', async () => {
    const text = begin + block
    for (let length = begin.length + 2; length <= text.length; length += 7)
      expect(await lastCut(detector, text.slice(0, length))).to.equal(begin.length)
    expect(await lastCut(detector, `${text}\nThat was it. `)).to.equal(text.length + 14)
  })

  it('is found where the text ends before it does', async () => {
    const [found] = await findingsIn(begin + block.slice(0, 700))
    expect(found).to.include({ type: 'PRIVATE_KEY', start: begin.length, end: begin.length + 700 })
  })

  it('counts as found after 16,384 characters, and what follows is free', async () => {
    const text = `${begin}-----BEGIN ${key}-----\n${`${random(64)}\n`.repeat(400)}`
    const [found] = await findingsIn(text)
    expect(found).to.include({ type: 'PRIVATE_KEY', start: begin.length, end: begin.length + 16_384 })
    const { spans } = await detector.openSpans({ text: `${text}. ` }, testCall())
    expect(spans[0]).to.deep.equal({ start: begin.length, end: begin.length + 16_384 })
  })

  it('is let through where it is public', async () => {
    const text = `${pem('CERTIFICATE')}\n${pem('PUBLIC KEY')}\n${pem('PGP SIGNATURE')}\n`
    expect(await findingsIn(text)).to.deep.equal([])
    expect(await lastCut(detector, `${text}. `)).to.equal(text.length + 2)
  })
})
