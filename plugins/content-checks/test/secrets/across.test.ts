import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { detector, hexadecimal, random, whole } from './support.js'

const token = whole(`gh¦p_${random(36)}`)

const across = async (...texts: string[]): Promise<string[]> => {
  const { findings } = await detector.inspectAcross({ values: texts.map((text) => ({ text })) }, testCall())
  return findings.map(({ type, start, end }) => `${type} ${texts.join('').slice(start, end)}`)
}

describe('a credential that is split over values', () => {
  for (const [name, texts] of Object.entries({
    two: ['the key: ', token.slice(0, 12), token.slice(12)],
    four: [token.slice(0, 2), token.slice(2, 9), token.slice(9, 20), token.slice(20)],
    'two, with invisible characters': [`${token.slice(0, 9)}\u200b`, `\u00ad${token.slice(9)}`],
  }))
    it(`is found in ${name}`, async () => {
      const [found = ''] = await across(...texts)
      expect(found.replace(/[\u00ad\u200b]/g, '')).to.equal(`GITHUB_TOKEN ${token}`)
    })

  for (const [name, texts] of Object.entries({
    'in one value': [token, 'next', '1'],
    'in more than four': Array.from(token),
    'with a blank between': [`${token.slice(0, 12)} `, token.slice(12)],
    'by a short beginning': ['SK', hexadecimal(32)],
    'by nothing but hashes': Array.from({ length: 40 }, () => hexadecimal(40)),
  }))
    it(`is none ${name}`, async () => expect(await across(...texts)).to.deep.equal([]))

  it('is none where it is allowed', async () => {
    const values = [{ text: token.slice(0, 12) }, { text: token.slice(12) }]
    const { findings } = await detector.inspectAcross({ values, options: { allow: [token] } }, testCall())
    expect(findings).to.deep.equal([])
  })
})
