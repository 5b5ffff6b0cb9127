import { expect } from 'chai'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { AnswerParser } from '../../src/answer/answer-parser.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { collect, general, inPieces, parse, rulesOf, summary, think } from '../support/answers.js'
import { bareSyntax } from '../support/syntaxes.js'

const json = { type: 'json_object' } as const
const asText = '{"name": "f", "arguments": {"x": 1}}'
const fenced = `\`\`\`json\n${asText}\n\`\`\``
const noCalls = [
  `${asText} and more`,
  `${asText}\n${asText}`,
  `[${asText}]`,
  `So: ${asText}`,
  `${fenced} and more`,
  fenced.slice(0, -3),
  asText.slice(0, -1),
  '{"name": "h", "arguments": {}}',
  '{"name": "f"}',
  '{"name": "f", "arguments": "{}"}',
  '{"name": "f", "arguments": {}, "id": 1}',
  '{"name": "f", "arguments": {x: 1}}',
  '{"city": "Rome", "arguments": {}}',
  '{}',
  '{ f }',
  '```json\n{"a": 1}\n```',
  '```python\nprint()\n```',
  '```jsonc\n{}\n```',
  '``',
  ' ',
]

type Case = [what: string, rules: AnswerRules, answer: string, expected: object]
const written = (how: string, put: (json: string) => string): Case[] =>
  [asText, '{"arguments":{"x": 1},"name":"f"}', '{\n  "name": "f",\n  "arguments": {"x": 1}\n}'].map((text) => [
    `a call as text, ${how}`,
    rulesOf(generalSyntax),
    put(text),
    { calls: [['f', '{"x": 1}']] },
  ])

const cases: Case[] = [
  ...written('bare', (json) => json),
  ...written('in a fence', (json) => `\`\`\`json\n${json}\n\`\`\``),
  ...written('in a fence without a language, between spaces', (json) => `\n \`\`\`\n${json}\n\`\`\`\n`),
  ['a call as text where tools are called by bare JSON', rulesOf(bareSyntax), fenced, { calls: [['f', '{"x": 1}']] }],
  ['a call as text behind reasoning', rulesOf(generalSyntax, { reasoning: think(false) }), `<think>hm</think>\n${asText}`, { reasoning: 'hm', calls: [['f', '{"x": 1}']] }], // prettier-ignore
  [
    'a call as text of a strict function',
    {
      calls: {
        syntax: generalSyntax,
        tools: [{ name: 'f', strict: true, field: 'tools[0]' }],
        required: false,
        parallel: true,
      },
    },
    asText,
    { text: asText },
  ],
  ['a call as text without tools', rulesOf(), asText, { text: asText }],
  ['a call as text where JSON is asked for', rulesOf(generalSyntax, { format: json }), asText, { text: asText }],
  ['numbers of a call as text, digit by digit', rulesOf(generalSyntax), '{"name": "f", "arguments": {"id": 12345678901234567890}}', { calls: [['f', '{"id": 12345678901234567890}']] }], // prettier-ignore
  ['a call by its mark behind one that was begun as text', rulesOf(generalSyntax), `{"name": "f", ${general('g', '{}')}`, { text: '{"name": "f", ', calls: [['g', '{}']] }], // prettier-ignore
  ...noCalls.map((text): Case => [`text that is no call: ${text}`, rulesOf(generalSyntax), text, { text }]),
  ['a call that is repeated where there must be calls', rulesOf(generalSyntax, {}, true), [general('f', '{"x": 1}'), general('f', '{"x": 2}'), general('g', '{"x": 1}'), general('f', '{"x": 1}'), general('g', '{}')].join('\n'), { calls: [['f', '{"x": 1}'], ['f', '{"x": 2}'], ['g', '{"x": 1}']] }], // prettier-ignore
  ['a call that is repeated where the model is free', rulesOf(generalSyntax), [general('f', '{"x": 1}'), general('f', '{"x": 1}')].join('\n'), { calls: [['f', '{"x": 1}'], ['f', '{"x": 1}']] }], // prettier-ignore
  ['calls that begin alike', rulesOf(generalSyntax, {}, true), [general('f', '{"x": 1}'), general('f', '{"x": 12, "y": 1}')].join('\n'), { calls: [['f', '{"x": 1}'], ['f', '{"x": 12, "y": 1}']] }], // prettier-ignore
]

describe('calls without the marks of a template, and calls that are repeated', () => {
  for (const [what, rules, answer, expected] of cases) {
    it(`are read piece by piece: ${what}`, () => {
      for (const size of [1, 2, 3, 7, 1000])
        expect(summary(parse(rules, inPieces(answer, size))), `chunks of ${size}`).to.deep.equal(expected)
    })
  }

  it('is shown as soon as it can be no call as text', () => {
    const shown = (chunks: readonly string[]) => {
      const parser = new AnswerParser(rulesOf(generalSyntax))
      return chunks.map((chunk) => collect(parser.push(chunk)).text)
    }
    expect(shown(['{"na', 'me": "Jo', 'hn"', ', '])).to.deep.equal(['', '', '{"name": "John"', ', '])
    expect(shown(['``', '`js', 'on', '\n[', '1'])).to.deep.equal(['', '', '', '```json\n[', '1'])
    expect(shown(['``', '`py', 'thon'])).to.deep.equal(['', '```py', 'thon'])
    expect(shown(['{"name": "f", "arguments": {', '}}', ' .'])).to.deep.equal([
      '',
      '',
      '{"name": "f", "arguments": {}} .',
    ])
    const [first = '', ...rest] = shown(['{"name": "f", "arguments": {"x": "', 'y'.repeat(65_536), 'y'])
    expect([first, ...rest.map(({ length }) => length)]).to.deep.equal(['', 65_570, 1])
  })

  it('is over where a call repeats another one, if there must be calls', () => {
    const parser = new AnswerParser(rulesOf(generalSyntax, {}, true))
    const told = ['f', 'g', 'f'].map((name) => {
      const chunks = [...parser.push(`${general(name, '{"x": 1}')}\n`)]
      const begun = chunks.filter((chunk) => 'toolCall' in chunk && chunk.toolCall.id !== undefined)
      return [begun.length, parser.isOver]
    })
    expect(told).to.deep.equal([[1, false], [1, false], [0, true]]) // prettier-ignore
    expect([parser.hasWholeCalls, ...parser.end()]).to.deep.equal([true])
  })
})
