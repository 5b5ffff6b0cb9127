/** Numbers beside letters, beside other numbers and over elements of HTML. */

import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { callOf, described, findingsIn, usualDetector } from './support.js'

const card = '4539578763621486'
const grouped = '4539 5787 6362 1486'
const digits = Array.from(card)

const found: readonly (readonly [text: string, ...findings: string[]])[] = [
  [`long c = ${card}L;`, `CREDIT_CARD ${card}`],
  [`${card}n`, `CREDIT_CARD ${card}`],
  [`${card}UL`, `CREDIT_CARD ${card}`],
  [`CC${card}`, `CREDIT_CARD ${card}`],
  [`Karte${card}`, `CREDIT_CARD ${card}`],
  [`creditcard${card}`, `CREDIT_CARD ${card}`],
  [`const c${card}=1`, `CREDIT_CARD ${card}`],
  [`Karte${grouped}`, `CREDIT_CARD ${grouped}`],
  ['IBANDE89370400440532013000', 'IBAN_CODE DE89370400440532013000'],
  ['x219-09-9999', 'US_SSN 219-09-9999'],
  ['tel4155552671', 'PHONE_NUMBER 4155552671'],
  [`415-555-2671 ${grouped}`, 'PHONE_NUMBER 415-555-2671', `CREDIT_CARD ${grouped}`],
  [`219-09-9999 ${grouped} end`, 'US_SSN 219-09-9999', `CREDIT_CARD ${grouped}`],
  ['1-2 378282246310005', 'CREDIT_CARD 378282246310005'],
  ['4539.5787.6362.1486', 'CREDIT_CARD 4539.5787.6362.1486'],
  ['4_539_578_763_621_486', 'CREDIT_CARD 4_539_578_763_621_486'],
  [`<td>${digits.join('</td><td>')}</td>`, `CREDIT_CARD ${digits.join('</td><td>')}`],
  [`<span>${digits.join('</span><span>')}</span>`, `CREDIT_CARD ${digits.join('</span><span>')}`],
  ['DE89<wbr>3704<wbr>0044<wbr>0532<wbr>0130<wbr>00', 'IBAN_CODE DE89<wbr>3704<wbr>0044<wbr>0532<wbr>0130<wbr>00'],
  ['219<wbr>-09<wbr>-9999', 'US_SSN 219<wbr>-09<wbr>-9999'],
  ['jane.miller<!-- nospam -->@acme.com', 'EMAIL_ADDRESS jane.miller<!-- nospam -->@acme.com'],
  ['<b>jane</b>.<b>miller</b>@<b>acme</b>.com', 'EMAIL_ADDRESS jane</b>.<b>miller</b>@<b>acme</b>.com'],
  ['jane.miller@acme.cօm', 'EMAIL_ADDRESS jane.miller@acme.cօm'],
  ['이름: 김철수'.normalize('NFD'), `PERSON ${'김철수'.normalize('NFD')}`],
  ['Όνομα: Γιάννης'.normalize('NFD'), `PERSON ${'Γιάννης'.normalize('NFD')}`],
]

describe('numbers beside letters, others and elements', () => {
  for (const [text, ...findings] of found)
    it(`are found: ${JSON.stringify(text.slice(0, 60))}`, async () => {
      expect(await described(text)).to.include.members(findings)
    })

  for (const text of [`<td>${digits.join('</td><td>')}</td>`, 'DE89<wbr>3704<wbr>0044<wbr>0532<wbr>0130<wbr>00'])
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
