/** Texts with what is found in each of them, all of it: in many of them, nothing. */

import { expect } from 'chai'
import texts from './data/found.json' with { type: 'json' }
import { described } from './support.js'

for (const [title, cases] of Object.entries(texts))
  describe(title, () => {
    for (const [text = '', ...findings] of cases)
      it(JSON.stringify(text.slice(0, 80)), async () => {
        expect(await described(text)).to.deep.equal(findings)
      })
  })

describe('a row that begins with a date', () => {
  it('has its card found', async () => {
    expect(await described('2024-05-01,4111111111111111,20.00')).to.include('CREDIT_CARD 4111111111111111')
  })
})
