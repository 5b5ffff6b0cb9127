/** What is found in values that are joined, beside what each of them has by itself. */

import { Pacer } from '@sallyport/kit/async'
import { expect } from 'chai'
import { findAcross } from '../src/across/across.js'

const pacer = new Pacer({ signal: new AbortController().signal, tenant: 'a' })

const foundIn = async (...texts: string[]): Promise<string[]> => {
  const whole = texts.join('')
  const found = await findAcross(
    texts.map((text) => ({ text })),
    new Set(),
    pacer,
  )
  return found.map(({ type, start, end }) => `${type} ${whole.slice(start, end)}`)
}

describe('a value that has something by itself', () => {
  const halves: readonly { type: string; whole: string; one: string; other: string }[] = [
    { type: 'CREDIT_CARD', whole: '4111 1111 1111 1111', one: '5500 0000 0000', other: ' 0004' },
    { type: 'CREDIT_CARD', whole: '4111-1111-1111-1111', one: '5500 0000 0000', other: ' 0004' },
    { type: 'IBAN_CODE', whole: 'GB82 WEST 1234 5698 7654 32', one: 'DE89 3704 0044 05', other: '32 0130 00' },
    { type: 'EMAIL_ADDRESS', whole: 'a@b.co', one: 'zebulon.quark@corvid', other: 'post.org' },
    { type: 'IP_ADDRESS', whole: '203.0.113.77', one: '198.51.', other: '100.23' },
    { type: 'US_SSN', whole: '536-22-1234', one: '219-09', other: '-9998' },
  ]
  for (const { type, whole, one, other } of halves)
    it(`hides no half of another ${type} beside ${whole}`, async () => {
      for (const separator of [' ', ' - ', ', ']) {
        expect(await foundIn(`${whole}${separator}${one}`, other)).to.deep.equal([`${type} ${one}${other}`])
        expect(await foundIn(one, `${other}${separator}${whole}`)).to.deep.equal([`${type} ${one}${other}`])
      }
    })

  it('hides none where the end of a whole one and the half look like one, too', async () => {
    const found = await foundIn('4111 1111 1113 4006 5500 0000 0000', ' 0004')
    expect(found).to.deep.equal(['CREDIT_CARD 5500 0000 0000 0004'])
  })

  const wholes: readonly (readonly string[])[] = [
    ['zebulon.quark@corvidpost.co', 'mail'],
    ['a@b.co', 'mike@x.org'],
    ['5500 0000 0000 0004', '4111 1111 1111 1111'],
    ['203.0.113.', '77.1.2.3'],
    ['536-22-1234', '-5'],
  ]
  for (const texts of wholes)
    it(`is no part of what it makes up with another: ${texts.join(' | ')}`, async () => {
      expect(await foundIn(...texts)).to.deep.equal([])
    })
})
