import { expect } from 'chai'
import { compilePattern } from '../src/regex/compile.js'

describe('how far a pattern looks', () => {
  for (const [name, regex, expected] of [
    ['before and behind', /(?<!ab)c(?=def)/u, { before: 2, behind: 3 }],
    ['before what it looks at', /(?<!(?<!\d)\d{4}x)c/u, { before: 6, behind: 0 }],
    ['behind what it looks at', /c(?!\d{4}(?!\d))/u, { before: 0, behind: 5 }],
    ['at the same place twice', /c(?!ab)(?!d)/u, { before: 0, behind: 2 }],
  ] as const)
    it(`is known: ${name}`, () => {
      const { before, behind } = compilePattern(regex)
      expect({ before, behind }).to.deep.equal(expected)
    })
})
