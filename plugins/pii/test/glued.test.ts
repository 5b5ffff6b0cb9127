/** What stands for numbers over elements of HTML, and what is no number of anybody. */

import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { callOf, described, findingsIn, usualDetector } from './support.js'

describe('numbers over elements of HTML', () => {
  for (const text of [
    `<td>${Array.from('4539578763621486').join('</td><td>')}</td>`,
    'DE89<wbr>3704<wbr>0044<wbr>0532<wbr>0130<wbr>00',
  ])
    for (const method of ['fake', 'random'] as const)
      it(`keep the elements around what stands for them (${method}): ${text.slice(0, 30)}`, async () => {
        const request = { text, findings: await findingsIn(text), method }
        const { text: replaced } = await usualDetector.replace(request, callOf({ tenant: 'tenant' }))
        expect(replaced).to.not.equal(text)
        expect(replaced.match(/<[^>]*>/g)).to.deep.equal(text.match(/<[^>]*>/g))
      })
})

const bytes = (at: number) => createHash('sha512').update(String(at)).digest()

/** Of what programs make, by the number of one. */
const made: Readonly<Record<string, (at: number) => string>> = {
  'digests in hexadecimal digits': (at) =>
    bytes(at)
      .toString('hex')
      .slice(0, [16, 32, 40, 64][at % 4]),
  commits: (at) =>
    bytes(at)
      .toString('hex')
      .slice(0, 7 + (at % 6)),
  UUIDs: (at) =>
    bytes(at)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5'),
  base64: (at) =>
    bytes(at)
      .toString('base64')
      .slice(0, 20 + (at % 60)),
  'base64 of URLs': (at) =>
    bytes(at)
      .toString('base64url')
      .slice(0, 11 + (at % 20)),
  'numbers of parts': (at) => `AB${bytes(at).readUInt32BE() % 1000}-${at % 100}-${1000 + (at % 9000)}`,
  'numbers of parcels': (at) => `TBA${String(bytes(at).readUIntBE(0, 6)).padStart(12, '0').slice(0, 12)}`,
}

describe('what programs make', () => {
  for (const [name, of] of Object.entries(made))
    it(`is hardly ever somebody’s: ${name}`, async () => {
      const text = Array.from({ length: 2000 }, (_, at) => `see ${of(at)};`).join('\n')
      const numbers = (await described(text)).filter((one) => /^(?:CREDIT_CARD|IBAN_CODE|US_SSN|PHONE)/.test(one))
      expect(numbers).to.have.length.below(3)
    }).timeout(60_000)
})
