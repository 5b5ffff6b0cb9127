import { expect } from 'chai'
import { compilePattern } from '../src/regex/compile.js'

describe('how far a pattern looks', () => {
  for (const [name, regex, expected] of [
    ['before and after', /(?<!ab)c(?=def)/u, { lookbehindLength: 2, lookaheadLength: 3 }],
    ['before what it looks at', /(?<!(?<!\d)\d{4}x)c/u, { lookbehindLength: 6, lookaheadLength: 0 }],
    ['after what it looks at', /c(?!\d{4}(?!\d))/u, { lookbehindLength: 0, lookaheadLength: 5 }],
    ['at the same place twice', /c(?!ab)(?!d)/u, { lookbehindLength: 0, lookaheadLength: 2 }],
  ] as const)
    it(`is known: ${name}`, () => {
      const { lookbehindLength, lookaheadLength } = compilePattern(regex)
      expect({ lookbehindLength, lookaheadLength }).to.deep.equal(expected)
    })
})
