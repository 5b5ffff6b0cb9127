/** Numbers as papers, manuals and logs have them, with all that is found in each text: in many of them, nothing. */

import { expect } from 'chai'
import texts from './data/documents.json' with { type: 'json' }
import { described } from './support.js'

for (const [title, cases] of Object.entries(texts))
  describe(title, () => {
    for (const [text = '', ...findings] of cases)
      it(JSON.stringify(text.slice(0, 80)), async () => {
        expect(await described(text)).to.deep.equal(findings)
      })
  })
