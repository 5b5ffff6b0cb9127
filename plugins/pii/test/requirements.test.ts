import { expect } from 'chai'
import fc from 'fast-check'
import { compilePattern } from '../src/regex/compile.js'
import type { CompiledPattern } from '../src/regex/compile.js'
import { TextIndex } from '../src/regex/text-index.js'
import { wordEdge, literalsOf, unknownCharacter } from '../src/regex/literals.js'
import { parse } from '../src/regex/parse.js'
import { mayMatch } from '../src/regex/requirements.js'
import { recognizers } from '../src/recognizers/index.js'
import { Randomness } from '../src/random/randomness.js'
import { sample } from '../src/regex/sample.js'

const literals = (regex: RegExp) => literalsOf(parse(regex), regex.ignoreCase)

/** Whether a text is left out that a pattern matches. */
const isLost = ({ regex, requirements }: CompiledPattern, text: string): boolean => {
  regex.lastIndex = 0
  return regex.test(text) && !mayMatch(requirements, TextIndex.of(text))
}

describe('what a pattern needs', () => {
  for (const [source, digits] of [
    [String.raw`a\d`, 1],
    ['[0-4]|b7', 1],
    [String.raw`(?:\d@|@){1,2}`, 0],
    [String.raw`(?:\d{3}|1234)-[5-9]{2,4}\d?`, 5],
    ['(?:@)?[@5]', 0],
    ['a(?=5)|5', 0],
  ] as const)
    it(`is so many digits: ${source}`, () => {
      expect(compilePattern(new RegExp(source, 'u')).requirements.minDigits).to.equal(digits)
    })

  for (const [regex, clauses] of [
    [/\w@\w/u, [['@']]],
    [/(?:\d@|@){1,2}/u, [['@']]],
    [/(?:@)?[@5]/u, [['@', '5']]],
    [/a(?=@)|@/u, [['a', '@']]],
    [/[Cc]at \d dogs?/u, [['Cat ', 'cat '], [' dog']]],
    [/(?<=mac )\d(?=km)/u, [['mac '], ['km']]],
    [/(?<!a)\d(?!km)/u, []],
    [/(?:Inc|GmbH)?\d/u, []],
    [/(?:Inc|G\.?m)(?![\p{L}\p{N}])/u, [[`Inc${wordEdge}`, `Gm${wordEdge}`, `G.m${wordEdge}`]]],
    [/(?:STOP|Übel)/iu, [['stop', `${unknownCharacter}bel`]]],
    [/(?:手机|tel)/iu, [['手机', 'tel']]],
    [/[a-z]x{0,3}/u, []],
  ] as const)
    it(`is one of some texts: ${regex.source}`, () => {
      expect(literals(regex)).to.deep.equal(clauses)
    })

  it('is in all that patterns match of recognisers', () => {
    for (const { entity, patterns, examples, counterExamples } of recognizers)
      for (const { regex } of patterns) {
        const random = new Randomness(Buffer.from('needs'), regex.source)
        const compiled = compilePattern(regex)
        const made = Array.from({ length: 20 }, () => sample(regex, random))
        const texts = [...examples, ...counterExamples, ...made].map((text) => text.replace(/[[\]]/g, ''))
        for (const text of texts)
          for (const written of [text, `a ${text}, b`, text.toUpperCase(), text.replace(/s/g, 'ſ').replace(/k/g, 'K')])
            expect(isLost(compiled, written), `${entity} ${regex.source.slice(0, 80)} in ${written}`).to.equal(false)
      }
  }).timeout(60_000)

  /** A pattern, and a text that it matches. */
  type Made = readonly [source: string, text: string]
  const letters = fc.constantFrom('a', 'b', 'K', 's', 'é', '3', ' ', '-')
  const { made } = fc.letrec<{ made: Made }>((tie) => ({
    made: fc.oneof(
      { depthSize: 'small' },
      letters.map((one): Made => [one, one]),
      fc.constantFrom<Made>(['[ab3]', 'b'], [String.raw`\d`, '7'], ['[^x]', 'y'], ['[Kſ]', 'ſ'], ['(?!x)', '']),
      fc.constantFrom<Made>([String.raw`(?<![\p{L}\p{N}])`, ''], [String.raw`(?![\p{L}])`, ''], ['(?:b|)', '']),
      fc.tuple(tie('made'), tie('made')).map(([[a, x], [b, y]]): Made => [a + b, x + y]),
      fc.tuple(tie('made'), tie('made')).map(([[a, x], [b]]): Made => [`(?:${a}|${b})`, x]),
      fc.tuple(tie('made'), fc.nat(2)).map(([[a, x], times]): Made => [`(?:${a}){0,2}`, x.repeat(times)]),
      fc.tuple(tie('made'), fc.nat(1)).map(([[a, x], more]): Made => [`(?:${a}){1,2}`, x.repeat(1 + more)]),
      tie('made').map(([a, x]): Made => [`(?=${a})${a}`, x]),
      tie('made').map(([a, x]): Made => [`${a}(?<=${a})`, x]),
    ),
  }))

  it('is in all that any pattern matches', () => {
    fc.assert(
      fc.property(made, letters, letters, fc.boolean(), ([source, text], before, behind, ignoreCase) => {
        const compiled = compilePattern(new RegExp(source, ignoreCase ? 'iu' : 'u'))
        for (const written of [text, before + text, text + behind, before + text + behind, text.toUpperCase()])
          expect(isLost(compiled, written), `${source} in ${written}`).to.equal(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('is compared without case as patterns do', () => {
    for (let unit = 0; unit < 0x10000; unit += 1) {
      const one = String.fromCharCode(unit)
      const others = [one.toLowerCase(), one.toUpperCase(), one.toUpperCase().toLowerCase()]
      for (const other of new Set(others.filter((other) => other !== one && other.length === 1)))
        if (new RegExp(other, 'iu').test(one))
          expect(isLost(compilePattern(new RegExp(other, 'iu')), one), `${other} in ${one}`).to.equal(false)
    }
  }).timeout(60_000)
})
