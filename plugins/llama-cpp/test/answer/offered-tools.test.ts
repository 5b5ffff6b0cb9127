import { loadGrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import type { GrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import type { FunctionTool } from '@sallyport/core'
import { answerGrammar } from '../../src/answer/answer-grammar.js'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { AnswerParser } from '../../src/answer/answer-parser.js'
import { callRules } from '../../src/answer/call-rules.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { think } from '../support/answers.js'
import { answerSchema, any, anything, clock, object, rain, rulesOf, tools, weather } from '../support/requests.js'
import type { RequestParts } from '../support/requests.js'

describe('an answer with tools', () => {
  let engine: GrammarEngine

  before(async function () {
    this.timeout(60_000)
    engine = await loadGrammarEngine()
  })

  const acceptsBy = (rules: AnswerRules) => engine.parse(answerGrammar(rules)?.gbnf ?? '')

  const named = (name: string) => rain.replace('weather', name)

  it('calls tools whose names begin alike', () => {
    const names = ['a', 'ab', 'abc', 'abd', 'b', 'ab-c', 'ab_c']
    const fits = acceptsBy(
      rulesOf({ tools: names.map((name) => ({ ...weather, name })), toolChoice: 'required' }, generalSyntax),
    )
    for (const name of names) expect(fits(named(name)), name).to.equal(true)
    for (const name of ['', 'abce', 'c', 'ab-', 'ba']) expect(fits(named(name)), name).to.equal(false)
  })

  const declared: [what: string, rest: object, more: boolean][] = [
    ['what is declared alone', {}, false],
    ['more where that is said', { additionalProperties: true }, true],
    ['more where properties stand elsewhere, too', { allOf: [{ properties: { b: {} } }] }, true],
    ['more where it is required', { required: ['b'] }, true],
  ]
  for (const [what, rest, more] of declared) {
    it(`gives functions ${what}`, () => {
      const parameters = { type: 'object', properties: { a: { const: 1 } }, ...rest }
      const fits = acceptsBy(rulesOf({ tools: [{ ...anything, parameters }] }, generalSyntax))
      expect(fits(any('{"a": 1, "b": 2}'))).to.equal(more)
      expect(fits(any('{"a": 1}'))).to.equal(!('required' in rest))
    })
  }

  it('calls the one tool that is named once, and of several named as many as it wants', () => {
    const twice = `${rain}\n${rain}`
    const request = (names: string[]) => acceptsBy(rulesOf({ tools, toolChoice: { names } }, generalSyntax))
    expect(request([weather.name])(rain)).to.equal(true)
    expect(request([weather.name])(twice)).to.equal(false)
    expect(request(tools.map(({ name }) => name))(twice)).to.equal(true)
  })

  it('calls any of 128 tools by its own schema', () => {
    const many = Array.from({ length: 128 }, (_, index): FunctionTool => ({
      name: `tool_${index}`,
      parameters: object({ [`key_${index}`]: { const: index } }),
      strict: true,
    }))
    const fits = acceptsBy(rulesOf({ tools: many }, generalSyntax))
    const call = (name: number, key: number, value: number) =>
      `<tool_call>\n{"name": "tool_${name}", "arguments": {"key_${key}": ${value}}}\n</tool_call>`
    for (let index = 0; index < 128; index += 1) expect(fits(call(index, index, index)), `${index}`).to.equal(true)
    expect([fits(call(1, 2, 2)), fits(call(12, 1, 1)), fits(call(128, 128, 128))]).to.deep.equal([false, false, false])
  })

  it('has 16 calls at most', () => {
    const fits = acceptsBy(rulesOf({ tools }, generalSyntax))
    const calls = (count: number) => Array.from({ length: count }, () => rain).join('\n')
    expect([fits(calls(16)), fits(calls(17))]).to.deep.equal([true, false])
  })

  const negated = object({ a: { not: { const: 1 } } })
  it('is not held to what no grammar holds, unless that is strict', () => {
    const request = (strict: boolean): RequestParts => ({ tools: [{ name: 'f', parameters: negated, strict }] })
    const code = (make: () => unknown) => {
      try {
        make()
        return 'none'
      } catch (error) {
        if (!isSallyportError(error)) throw error
        return `${error.code} ${String(error.details['field'])}`
      }
    }
    expect(answerGrammar(rulesOf(request(false), generalSyntax))?.unenforced).to.have.length.above(0)
    expect(code(() => answerGrammar(rulesOf(request(true), generalSyntax)))).to.equal(
      'invalid_request tools[0].parameters',
    )
  })

  it('whose arguments can be no object is refused where the tool is', () => {
    const wrong = { name: 'f', parameters: { type: 'array' } }
    expect(() => callRules({ messages: [], tools: [weather, wrong] }, generalSyntax))
      .to.throw()
      .with.nested.property('details.field', 'tools[1].parameters.type')
  })

  const fragments = [
    ...['<tool_call>', '\n', '{"name": "', 'weather', 'time', '", "arguments": ', '{"city": "x"}', '{"hour": 1}', '}'],
    ...['</tool_call>', '\n</tool_call>', 'Hi ', '<tool_', '<', '\n<tool_call>\n{"name": "', rain, clock, `\n${rain}`],
    ...['<think>', '</think>', '{"n": 1}'],
  ]
  const settings = fc.record({
    toolChoice: fc.constantFrom('auto' as const, 'required' as const),
    parallelToolCalls: fc.boolean(),
    responseFormat: fc.constantFrom({ type: 'text' as const }, answerSchema),
  })

  const known = new Map<string, (text: string) => boolean>()
  const acceptsOnce = (rules: AnswerRules) => {
    const key = JSON.stringify(rules)
    const fits = known.get(key) ?? acceptsBy(rules)
    known.set(key, fits)
    return fits
  }

  it('that is accepted is read as text without marks and calls by the schemas', () => {
    let calls = 0
    fc.assert(
      fc.property(
        settings,
        fc.constantFrom(undefined, think(false), think(true)),
        fc.array(fc.constantFrom(...fragments), { maxLength: 8 }),
        (request, reasoning, parts) => {
          const rules = rulesOf({ tools, ...request }, generalSyntax, reasoning)
          if (!acceptsOnce(rules)(parts.join(''))) return
          const parser = new AnswerParser(rules)
          const chunks = [...parts.flatMap((part) => [...parser.push(part)]), ...parser.end()]
          const text = chunks.map((chunk) => ('delta' in chunk ? chunk.delta : '')).join('')
          const texts: string[] = []
          for (const chunk of chunks)
            if ('toolCall' in chunk)
              texts[chunk.toolCall.index] = (texts[chunk.toolCall.index] ?? '') + chunk.toolCall.arguments
          expect(text).not.to.contain('<tool_call>')
          for (const each of texts) expect(each).to.be.oneOf(['{"city": "x"}', '{"city": "Rom"}', '{"hour": 1}'])
          if (request.toolChoice === 'required') expect(texts).to.have.length.above(0)
          if (!request.parallelToolCalls) expect(texts).to.have.length.below(2)
          calls += texts.length
        },
      ),
      { numRuns: 1500, seed: 3 },
    )
    expect(calls).to.be.above(20)
  }).timeout(60_000)
})
