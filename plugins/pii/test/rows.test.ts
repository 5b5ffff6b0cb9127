/** Numbers beside others with nothing but a comma or a dash between, as in rows of data. */

import { expect } from 'chai'
import { described } from './support.js'

const [visa, master] = ['4111111111111111', '5500005555555559']

const found: readonly (readonly [text: string, ...findings: string[]])[] = [
  [`12,${visa},7`, `CREDIT_CARD ${visa}`],
  [`0,${visa},7`, `CREDIT_CARD ${visa}`],
  [`orders:\n1,${visa},20\n2,${master},35`, `CREDIT_CARD ${visa}`, `CREDIT_CARD ${master}`],
  [`INSERT INTO t VALUES (1,${visa}),(2,${master});`, `CREDIT_CARD ${visa}`, `CREDIT_CARD ${master}`],
  [`[[1,${visa}],[2,${master}]]`, `CREDIT_CARD ${visa}`, `CREDIT_CARD ${master}`],
  [`${master},${visa}`, `CREDIT_CARD ${master}`, `CREDIT_CARD ${visa}`],
  [`${visa},12,2027,123`, `CREDIT_CARD ${visa}`],
  [`x=${visa},5`, `CREDIT_CARD ${visa}`],
  [`acct 12-${visa}`, `CREDIT_CARD ${visa}`],
  [`card: 7,${visa}`, `CREDIT_CARD ${visa}`],
  [`${visa} 123`, `CREDIT_CARD ${visa}`],
  ['7,4111 1111 1111 1111,20', 'CREDIT_CARD 4111 1111 1111 1111'],
  ['7,4111-1111-1111-1111,20', 'CREDIT_CARD 4111-1111-1111-1111'],
  ['7,3782 822463 10005,20', 'CREDIT_CARD 3782 822463 10005'],
  ['1,212-555-0187\n2,212-555-0143', 'PHONE_NUMBER 212-555-0187', 'PHONE_NUMBER 212-555-0143'],
  ['7,+12125550187,9', 'PHONE_NUMBER +12125550187'],
  ['7,(212) 555-0187,9', 'PHONE_NUMBER (212) 555-0187'],
  ['7,020 7946 0958,9', 'PHONE_NUMBER 020 7946 0958'],
  ['phones: 2125550187,2125550143', 'PHONE_NUMBER 2125550187', 'PHONE_NUMBER 2125550143'],
  ['1,078-05-1120,3', 'US_SSN 078-05-1120'],
  ['id,ssn\n7,078051120,3', 'US_SSN 078051120'],
  ['7,DE89370400440532013000,3', 'IBAN_CODE DE89370400440532013000'],
  ['7,DE89 3704 0044 0532 0130 00,3', 'IBAN_CODE DE89 3704 0044 0532 0130 00'],
  ['nhs\n7,9434765919,3', 'UK_NHS 9434765919'],
  ['bsn\n7,111222333,3', 'NL_BSN 111222333'],
  ['npi\n1,1234567893,20', 'US_NPI 1234567893'],
]

const harmless: readonly string[] = [
  '1,234,567.89',
  '4,111,111,111',
  '3,14159265358979',
  'Faktor 0,4111111111111111 genau',
  'factor 3.4111111111111111, factor 4111111111111111.001',
  'phone 1,234,567',
  'the phone cost 1234567,89',
  '1,000-10000 units',
  'build 4111-1111-1111-1111-1111',
  '1111 4111 1111 1111 1111 1111',
  'my savings are 12345678,90 EUR',
  Array.from({ length: 40 }, (_, at) => 1001 + at * 7919).join(','),
  Array.from({ length: 40 }, (_, at) => 100100100 + at * 7919).join(','),
  Array.from({ length: 40 }, (_, at) => (at * 0.123456789).toFixed(9).replace('.', ',')).join('\n'),
]

describe('numbers in a row of others', () => {
  for (const [text, ...findings] of found)
    it(`are found: ${JSON.stringify(text)}`, async () => {
      expect(await described(text)).to.deep.equal(findings)
    })

  it('are found behind a date', async () => {
    expect(await described(`2024-05-01,${visa},20.00`)).to.include(`CREDIT_CARD ${visa}`)
  })

  for (const text of harmless)
    it(`are nobody’s: ${JSON.stringify(text.slice(0, 60))}`, async () => {
      expect(await described(text)).to.deep.equal([])
    })
})
