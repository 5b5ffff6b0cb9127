import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk } from '@sallyport/core'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { AnswerParser } from '../../src/answer/answer-parser.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { collect, general, inPieces, parse, rulesOf, summary, think } from '../support/answers.js'
import {
  bareSyntax,
  deepSeekSyntax,
  mistralSyntax,
  nameOnlySyntax,
  singleSyntax,
  tagSyntax,
} from '../support/syntaxes.js'

const json = { type: 'json_object' } as const
const nested = '{"a": {"b": [1, {"c": "}]\\"{"}]}, "ü\\u00e9": "\\\\"}'
const bare = '{"name": "f", "parameters": {"x": 1}}'

type Case = [what: string, rules: AnswerRules, answer: string, expected: object]
const cases: Case[] = [
  ['text', rulesOf(generalSyntax), 'Hello, world.', { text: 'Hello, world.' }],
  ['nothing', rulesOf(generalSyntax), '', {}],
  ['a call', rulesOf(generalSyntax), general('f', '{"x": 1}'), { calls: [['f', '{"x": 1}']] }],
  ['arguments with braces in strings', rulesOf(generalSyntax), general('f', nested), { calls: [['f', nested]] }],
  [
    'a call behind text',
    rulesOf(generalSyntax),
    `Let me see.\n${general('f', '{}')}`,
    { text: 'Let me see.\n', calls: [['f', '{}']] },
  ],
  [
    'several calls',
    rulesOf(generalSyntax),
    [general('f', '{"x":1}'), general('g', '{}'), general('f', '{"x":2}')].join('\n'),
    { calls: [['f', '{"x":1}'], ['g', '{}'], ['f', '{"x":2}']] }, // prettier-ignore
  ],
  ['beginnings of marks', rulesOf(generalSyntax), 'a <tool_ <<tool_cal <', { text: 'a <tool_ <<tool_cal <' }],
  ['a call without tools', rulesOf(), general('f', '{}'), { text: general('f', '{}') }],
  [
    'a mark within JSON',
    rulesOf(generalSyntax, { format: json }),
    '{"a": "<tool_call>"}',
    { text: '{"a": "<tool_call>"}' },
  ],
  ['a call instead of JSON', rulesOf(generalSyntax, { format: json }), general('f', '{}'), { calls: [['f', '{}']] }],
  ['a bare call', rulesOf(bareSyntax), bare, { calls: [['f', '{"x": 1}']] }],
  ['text instead of a bare call', rulesOf(bareSyntax), 'It is {"name": "f"', { text: 'It is {"name": "f"' }],
  ['JSON unlike a bare call', rulesOf(bareSyntax, { format: json }), '{"city": 1}', { text: '{"city": 1}' }],
  [
    'JSON that begins like a bare call',
    rulesOf(bareSyntax, { format: json }),
    '{"name": "f", "age": {}}',
    { text: '{"name": "f", "age": {}}' },
  ],
  ['a bare call instead of JSON', rulesOf(bareSyntax, { format: json }), bare, { calls: [['f', '{"x": 1}']] }],
  [
    'calls with ids',
    rulesOf(mistralSyntax),
    '[TOOL_CALLS] [{"name": "f", "arguments": {"x": 1}, "id": "aB3dE6gH9"}, {"name": "g", "arguments": {}, "id": "123456789"}]',
    { calls: [['f', '{"x": 1}'], ['g', '{}']] }, // prettier-ignore
  ],
  [
    'calls in tags',
    rulesOf(tagSyntax),
    'So: <function=f>{"x": 1}</function>\n<function=g>{}</function>',
    { text: 'So: ', calls: [['f', '{"x": 1}'], ['g', '{}']] }, // prettier-ignore
  ],
  [
    'calls with control tokens',
    rulesOf(deepSeekSyntax),
    'Well.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"x": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { text: 'Well.', calls: [['f', '{"x": 1}']] },
  ],
  ['names with nothing behind', rulesOf(nameOnlySyntax), '[TOOL_CALLS]f{"x": 1}', { calls: [['f', '{"x": 1}']] }],
  [
    'marks with hyphens',
    rulesOf({ begin: ['<tool-call>'], middle: [' - '], end: ['</tool-call>'] }),
    '<tool-call>f-g - {}</tool-call>',
    { calls: [['f-g', '{}']] },
  ],
  ['one call where there is one at most', rulesOf(singleSyntax), '<call>f {"x": 1}', { calls: [['f', '{"x": 1}']] }],
  [
    'what follows the last call as nothing',
    rulesOf(singleSyntax),
    '<call>f {"x": 1} and <call>g {}',
    { calls: [['f', '{"x": 1}']] },
  ],
  ['reasoning', rulesOf(undefined, { reasoning: think(false) }), '<think>\nhm\n\nhm\n</think>\n\nYes', { reasoning: 'hm\n\nhm', text: 'Yes' }], // prettier-ignore
  ['no reasoning', rulesOf(undefined, { reasoning: think(false) }), 'Yes <think>no', { text: 'Yes <think>no' }],
  ['empty reasoning', rulesOf(undefined, { reasoning: think(false) }), '<think>\n\n</think>\n\nYes', { text: 'Yes' }],
  ['reasoning that the prompt opened', rulesOf(undefined, { reasoning: think(true) }), 'hm</think>Yes', { reasoning: 'hm', text: 'Yes' }], // prettier-ignore
  ['reasoning without an end', rulesOf(undefined, { reasoning: think(true) }), 'a </thi', { reasoning: 'a </thi' }],
  [
    'calls in reasoning, and behind them',
    rulesOf(generalSyntax, { reasoning: think(false) }),
    `<think>maybe <tool_call></think>\n${general('f', '{}')}`,
    { reasoning: 'maybe <tool_call>', calls: [['f', '{}']] },
  ],
  ['characters of every length', rulesOf(generalSyntax), `ä€👍${general('f', '{"é": "👍"}')}`, { text: 'ä€👍', calls: [['f', '{"é": "👍"}']] }], // prettier-ignore
]

describe('what a model answers', () => {
  for (const [what, rules, answer, expected] of cases) {
    it(`is read piece by piece: ${what}`, () => {
      for (const size of [1, 2, 3, 7, 1000])
        expect(summary(parse(rules, inPieces(answer, size))), `chunks of ${size}`).to.deep.equal(expected)
    })
  }

  it('is read the same however it is cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(fc.nat(200), { maxLength: 20 }),
        ([, rules, answer, expected], cuts) => {
          const ends = [...cuts.map((cut) => Math.min(cut, answer.length)), answer.length].sort((a, b) => a - b)
          const chunks = ends.map((end, index) => answer.slice(ends[index - 1] ?? 0, end))
          expect(summary(parse(rules, chunks))).to.deep.equal(expected)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('grows only at its end when it is cut short', () => {
    for (const [what, rules, answer, expected] of cases) {
      const whole = { text: '', reasoning: '', calls: [] as string[][], ...expected }
      for (let length = 0; length < answer.length; length += 1) {
        const { text, reasoning, calls } = parse(rules, [answer.slice(0, length)])
        calls.forEach((call, index) => {
          expect(call.name, what).to.equal(whole.calls[index]?.[0])
          expect(whole.calls[index]?.[1], what).to.satisfy((all: string) => all.startsWith(call.arguments))
        })
        // what may still be text is text
        const rest = [whole.text, answer].some((all) => all.startsWith(text) || all.includes(text))
        expect(rest, `${what}: ${text}`).to.equal(true)
        expect(whole.reasoning, what).to.satisfy(
          (all: string) => all.startsWith(reasoning) || answer.includes(reasoning),
        )
      }
    }
  })

  it('leaves no part of a call in the text when it is cut short in it', () => {
    const begun = 'Let me see. <tool_call>'
    const answer = `Let me see. ${general('f', '{"x": 1}')}`
    for (let length = begun.length; length <= answer.length; length += 1)
      expect(parse(rulesOf(generalSyntax), [answer.slice(0, length)]).text).to.equal('Let me see. ')
    for (let length = 0; length < bare.length; length += 1)
      expect(parse(rulesOf(bareSyntax), [bare.slice(0, length)]).text).to.equal('')
  })

  it('is shown as soon as it can be no mark', () => {
    const parser = new AnswerParser(rulesOf(generalSyntax))
    const shown = (chunk: string) => collect(parser.push(chunk)).text
    expect(['one ', 'two <to', 'ol', 'kit> th', 'ree<'].map(shown)).to.deep.equal([
      'one ',
      'two ',
      '',
      '<toolkit> th',
      'ree',
    ])
  })

  it('streams the arguments of a call', () => {
    const parser = new AnswerParser(rulesOf(generalSyntax))
    const parts = ['<tool_call>\n{"name": "', 'f', '", "arguments": ', '{"x": ', '"long ', 'text"', '}}\n</tool_call>']
    const chunks = parts.flatMap((part) => [...parser.push(part)])
    const [first, ...rest] = chunks.flatMap((chunk) => ('toolCall' in chunk ? [chunk.toolCall] : []))
    expect(first).to.include({ index: 0, name: 'f', arguments: '' })
    expect(first?.id).to.match(/^call_[0-9a-f]{24}$/)
    expect(rest).to.deep.equal(['{"x": ', '"long ', 'text"', '}'].map((text) => ({ index: 0, arguments: text })))
  })

  it('gives every call an id of its own', () => {
    const rules = rulesOf(generalSyntax)
    const { calls } = parse(
      rules,
      Array.from({ length: 8 }, () => `${general('f', '{}')}\n`),
    )
    const ids = [...calls, ...parse(rules, [general('f', '{}')]).calls].map(({ id }) => id)
    expect(new Set(ids).size).to.equal(9)
  })

  it('has the log-probabilities of its text alone, however it is cut', () => {
    const rules = rulesOf(generalSyntax, { reasoning: think(false) })
    const tokens = [
      '<think>',
      'hm',
      '</think>',
      '\n\n',
      'naï',
      've ',
      '👍',
      '.<tool',
      '_call>',
      '\n{"name": "',
      'f',
      '", "arguments": {}}',
    ]
    const logprobs = tokens.map((token, at) => ({ token, logprob: -at, bytes: [...Buffer.from(token)] }))
    for (const size of [1, 2, 5, tokens.length]) {
      const parser = new AnswerParser(rules)
      const chunks: ChatChunk[] = []
      for (let at = 0; at < tokens.length; at += size) {
        const portion = logprobs.slice(at, at + size)
        chunks.push(...parser.push(portion.map(({ token }) => token).join(''), portion))
      }
      const read = collect([...chunks, ...parser.end()])
      expect(read.logprobs.map(({ token }) => token)).to.deep.equal(['naï', 've ', '👍', '.<tool'])
    }
  })
})
