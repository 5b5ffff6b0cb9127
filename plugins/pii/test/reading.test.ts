import { expect } from 'chai'
import fc from 'fast-check'
import { described, findingsIn } from './support.js'

describe('a text, however it is written', () => {
  for (const [name, text, expected] of [
    [
      'full-width digits',
      'card ４１１１ １１１１ １１１１ １１１１!',
      'CREDIT_CARD ４１１１ １１１１ １１１１ １１１１',
    ],
    ['Arabic-Indic digits', 'card ٤١١١١١١١١١١١١١١١.', 'CREDIT_CARD ٤١١١١١١١١١١١١١١١'],
    ['mathematical digits', 'card 𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏.', 'CREDIT_CARD 𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏'],
    ['zero-width spaces', 'card 4111\u200b1111\u200b1111\u200b1111.', 'CREDIT_CARD 4111\u200b1111\u200b1111\u200b1111'],
    ['soft hyphens', 'jane\u00ad.doe@exa\u00admple.org', 'EMAIL_ADDRESS jane\u00ad.doe@exa\u00admple.org'],
    [
      'no-break spaces and dashes',
      'IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
      'IBAN_CODE DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000',
    ],
    ['typographic dashes', 'SSN 536‑22‑1234', 'US_SSN 536‑22‑1234'],
    ['look-alikes', 'IBAN DЕ89370400440532013000', 'IBAN_CODE DЕ89370400440532013000'],
    ['full-width letters', 'ｊａｎｅ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'EMAIL_ADDRESS ｊａｎｅ＠ｅｘａｍｐｌｅ．ｏｒｇ'],
    ['emoji before it', '👩‍👩‍👧‍👦👍🏽 jane@example.org', 'EMAIL_ADDRESS jane@example.org'],
    ['right-to-left marks', 'שלום \u202b4111 1111 1111 1111\u202c עולם', 'CREDIT_CARD 4111 1111 1111 1111'],
    ['lone surrogates and NUL', '\ud83d\0 jane@example.org \udc00', 'EMAIL_ADDRESS jane@example.org'],
    ['combining characters', 'e\u0301e\u0301 jane@example.org', 'EMAIL_ADDRESS jane@example.org'],
    ['a byte order mark', '\ufeff4111111111111111', 'CREDIT_CARD 4111111111111111'],
  ] as const)
    it(`hides nothing by ${name}`, async () => {
      expect(await described(text)).to.include(expected)
    })

  it('is inspected whatever it is made of, and findings lie in it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
        async (noise) => {
          const text = `${noise} jane@example.org ${noise}`
          const findings = await findingsIn(text)
          for (const { start, end } of findings) {
            expect(start).to.be.at.least(0).and.below(end)
            expect(end).to.be.at.most(text.length)
          }
          expect(findings.some(({ type }) => type === 'EMAIL_ADDRESS')).to.equal(true)
        },
      ),
      { numRuns: 300 },
    )).timeout(60_000)
})
