import { expect } from 'chai'
import { compileRecognizer } from '../src/matching/compiled.js'
import { matchesOf } from '../src/regex/search.js'
import { inAnyScript } from '../src/recognizers/index.js'
import { email } from '../src/recognizers/email.js'
import { url } from '../src/recognizers/url.js'
import { described } from './support.js'

describe('addresses in a row of letters of another script', () => {
  for (const recognizer of [email, url])
    for (const [index, pattern] of compileRecognizer(inAnyScript(recognizer)).patterns.entries())
      for (const letters of ['приветмир', 'ありがとう', '你好我是', 'שלום', '안녕하세요', 'สวัสดี'])
        it(`begin where it begins, and are not tried from each letter: ${recognizer.entity} ${index}, ${letters}`, () => {
          const text = letters.repeat(10)
          const matches = [...matchesOf(text, { ...pattern, overlapping: true }, { grows: true })]
          expect(matches.filter((match) => match !== undefined && match.start > 0)).to.deep.equal([])
        })

  for (const [text, expected] of [
    ['私のメールはjane@acme.comです', 'jane@acme.com'],
    ['пишите：иван@почта.рф', 'иван@почта.рф'],
    ['😀иван@почта.рф', 'иван@почта.рф'],
    [`${'ありがとう'.repeat(80)}jane@acme.com`, 'jane@acme.com'],
    ['网址是www.example.com', 'www.example.com'],
  ] as const)
    it(`are found all the same: ${text.slice(-30)}`, async () => {
      const found = (await described(text)).map((one) => one.slice(one.indexOf(' ') + 1))
      expect(found).to.have.length(1)
      expect(found[0]?.endsWith(expected)).to.equal(true)
    })
})
