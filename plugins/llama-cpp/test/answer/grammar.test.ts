import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError } from '@sallyport/core'
import type { ChatRequest, FunctionTool } from '@sallyport/core'
import { answerGrammar } from '../../src/answer/answer-grammar.js'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { AnswerParser } from '../../src/answer/answer-parser.js'
import { callRules } from '../../src/answer/call-rules.js'
import type { CallSyntax, ThoughtSyntax } from '../../src/answer/syntax.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { loadAccepts } from '../support/accepts.js'
import type { Accepts } from '../support/accepts.js'
import {
  bareSyntax,
  deepSeekSyntax,
  mistralSyntax,
  nameOnlySyntax,
  singleSyntax,
  tagSyntax,
} from '../support/syntaxes.js'

const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
})

const weather: FunctionTool = { name: 'weather', parameters: object({ city: { type: 'string' } }), strict: true }
const time: FunctionTool = { name: 'time', parameters: object({ hour: { enum: [1, 2] } }) }
const anything: FunctionTool = { name: 'anything' }
const tools = [weather, time]

type Asked = Partial<Pick<ChatRequest, 'tools' | 'toolChoice' | 'parallelToolCalls' | 'responseFormat'>>

const rulesOf = (asked: Asked, syntax: CallSyntax, thoughts?: ThoughtSyntax): AnswerRules => ({
  calls: callRules({ messages: [], ...asked }, syntax),
  format: asked.responseFormat?.type === 'text' ? undefined : asked.responseFormat,
  thoughts,
})

const rain = '<tool_call>\n{"name": "weather", "arguments": {"city": "Rom"}}\n</tool_call>'
const clock = '<tool_call>\n{"name": "time", "arguments": {"hour": 1}}\n</tool_call>'
const any = (text: string) => `<tool_call>\n{"name": "anything", "arguments": ${text}}\n</tool_call>`
const bare = '{"name": "weather", "parameters": {"city": "Rom"}}'

/** Marks without a call, each wrong in another place. */
const broken = [
  '<tool_call>',
  '<tool_call>\n',
  'Well: <tool_call> is how calls begin',
  rain.slice(0, -1),
  rain.replace('weather', 'wealth'),
  rain.replace('weather', 'weather2'),
  rain.replace('city', 'town'),
  rain.replace('"Rom"', '1'),
  rain.replace('{"city": "Rom"}', '{}'),
  rain.replace('{"city": "Rom"}', '{"city": "Rom", "more": 1}'),
  rain.replace('}}', '}'),
  rain.replace('\n{', '{'),
  clock.replace('1', '3'),
  `<${rain}`.replace('weather', ''),
  `<tool_<tool_call>`,
]

interface Case {
  readonly what: string
  readonly asked: Asked
  readonly syntax?: CallSyntax
  readonly thoughts?: ThoughtSyntax
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

const think = (opened: boolean): ThoughtSyntax => ({ begin: '<think>', end: '</think>', opened })
const schema = object({ n: { type: 'integer' } })
const answerSchema = { type: 'json_schema', schema, strict: true } as const

const cases: Case[] = [
  {
    what: 'may be text or calls',
    asked: { tools },
    accepted: [
      '',
      'Hi',
      'ä€👍\u0001\n',
      '<',
      'a <tool_',
      '<<tool_cal>',
      rain,
      `Hm.\n${clock}`,
      `${rain}\n${clock}`,
      `<tool_${rain}`,
    ],
    refused: [...broken, `${rain} and so on`, `${rain}${clock}`, `${rain}\n`],
  },
  {
    what: 'is one call at most where calls are not parallel',
    asked: { tools, parallelToolCalls: false },
    accepted: ['Hi', rain, `Hm ${clock}`],
    refused: [`${rain}\n${clock}`, ...broken],
  },
  {
    what: 'is a call where one is required',
    asked: { tools, toolChoice: 'required' },
    accepted: [rain, clock, `${rain}\n${clock}`],
    refused: ['', 'Hi', `Hi ${rain}`, ' ', ...broken],
  },
  {
    what: 'is a call of the named tools',
    asked: { tools, toolChoice: { names: ['time'] } },
    accepted: [clock],
    refused: ['', 'Hi', rain, `${clock}\n${rain}`],
  },
  {
    what: 'has arguments that are an object where no schema says so',
    asked: { tools: [anything, { name: 'other', parameters: { properties: { a: { type: 'null' } } } }] },
    accepted: [
      any('{}'),
      any('{"a": [1, {"b": null}]}'),
      any('{"a": 1}').replace('anything', 'other').replace('1', 'null'),
    ],
    refused: [any('[]'), any('1'), any('null'), any('{"a"}'), any('{"a": 1}').replace('anything', 'other')],
  },
  {
    what: 'is JSON by its schema, or calls',
    asked: { tools, responseFormat: answerSchema },
    accepted: ['{"n": 1}', '{"n":-20}', rain, `${rain}\n${clock}`],
    refused: ['', 'Hi', '{}', '{"n": "1"}', `{"n": 1}${rain}`, `Hm ${rain}`, ...broken],
  },
  {
    what: 'is an object, or calls',
    asked: { tools, responseFormat: { type: 'json_object' } },
    accepted: ['{}', '{"a": "<tool_call>"}', rain],
    refused: ['[]', 'Hi', '1', ...broken],
  },
  {
    what: 'is JSON where the tools may not be called',
    asked: { tools, toolChoice: 'none', responseFormat: answerSchema },
    accepted: ['{"n": 1}'],
    refused: [rain, '', '{"n": 1} '],
  },
  {
    what: 'begins with thoughts, or not',
    asked: { tools, toolChoice: 'required' },
    thoughts: think(false),
    accepted: [
      rain,
      `<think>\nI <think> so\n</think>\n\n${rain}`,
      `<think></think>${rain}`,
      `<think>${broken[2]}</think>${rain}`,
    ],
    refused: ['<think>', '<think>\n</think>', `<think>${rain}`, `<think></think>Hi`, `<think></think>\n\n\n${rain}`],
  },
  {
    what: 'begins with thoughts that the prompt has opened',
    asked: { responseFormat: answerSchema },
    thoughts: think(true),
    accepted: ['so</think>{"n": 1}', '</th</think>\n{"n": 1}', '</think>{"n": 1}'],
    refused: ['{"n": 1}', 'so</think>', '<think>so</think>'],
  },
  {
    what: 'is text behind thoughts, too',
    asked: { tools },
    thoughts: think(false),
    accepted: ['Hi', '<think>hm</think>Hi', `<think>hm</think>\nHi ${rain}`, '<think>hm'],
    refused: ['<think>hm</think>Hi <tool_call>'],
  },
  {
    what: 'is a bare call, or text that does not begin like one',
    asked: { tools },
    syntax: bareSyntax,
    accepted: ['', 'Hi', 'So: {"name": "x"}', bare],
    refused: ['{', '{"name": "x"}', bare.slice(0, -1), bare.replace('Rom"', 'Rom'), `${bare}; ${bare}`, `${bare} `],
  },
  {
    what: 'is a bare call or JSON',
    asked: { tools, responseFormat: answerSchema },
    syntax: bareSyntax,
    accepted: [bare, '{"n": 1}'],
    refused: ['Hi', `${bare}{"n": 1}`],
  },
  {
    what: 'is a list of calls with ids',
    asked: { tools },
    syntax: mistralSyntax,
    accepted: [
      'Hi',
      '[TOOL_CALLS] [{"name": "time", "arguments": {"hour": 2}, "id": "aB3dE6gH9"}]',
      'Hi[TOOL_CALLS] [{"name": "time", "arguments": {"hour":2}, "id": "1"}, {"name": "time", "arguments": {"hour": 1}, "id": "2"}]',
    ],
    refused: [
      '[TOOL_CALLS]',
      '[TOOL_CALLS] []',
      '[TOOL_CALLS] [{"name": "time", "arguments": {"hour": 2}, "id": ""}]',
      '[TOOL_CALLS] [{"name": "time", "arguments": {"hour": 2}}]',
    ],
  },
  {
    what: 'is calls in tags',
    asked: { tools },
    syntax: tagSyntax,
    accepted: [
      '<function=time>{"hour": 2}</function>',
      'a <function<function=time>{"hour": 2}</function>',
      '<function>',
    ],
    refused: [
      '<function=',
      '<function=>{}</function>',
      '<function=time>{"hour": 2}',
      '<function=time>{"hour": 2}</function> x',
    ],
  },
  {
    what: 'is calls with control tokens',
    asked: { tools, toolChoice: 'required' },
    syntax: deepSeekSyntax,
    accepted: [`${String(deepSeekSyntax.begin[0])}time\n\`\`\`json\n{"hour": 1}${String(deepSeekSyntax.end[0])}`],
    refused: ['<｜tool▁calls▁begin｜>', `${String(deepSeekSyntax.begin[0])}time`],
  },
  {
    what: 'is one call where the syntax knows but one',
    asked: { tools },
    syntax: singleSyntax,
    accepted: ['<call>time {"hour": 1}', 'Hi'],
    refused: ['<call>time {"hour": 1}<call>time {"hour": 1}', '<call>time{"hour": 1}'],
  },
  {
    what: 'is a name with arguments behind it',
    asked: { tools },
    syntax: nameOnlySyntax,
    accepted: ['[TOOL_CALLS]time{"hour": 1}'],
    refused: ['[TOOL_CALLS]time', '[TOOL_CALLS]{"hour": 1}'],
  },
]

describe('an answer', () => {
  let accepts: Accepts

  before(async function () {
    this.timeout(60_000)
    accepts = await loadAccepts()
  })

  const acceptsBy = (rules: AnswerRules) => accepts(answerGrammar(rules)?.gbnf ?? '')

  for (const { what, asked, syntax = generalSyntax, thoughts, accepted, refused } of cases) {
    it(what, () => {
      const fits = acceptsBy(rulesOf(asked, syntax, thoughts))
      for (const text of accepted) expect(fits(text), `refused: ${text}`).to.equal(true)
      for (const text of refused) expect(fits(text), `accepted: ${text}`).to.equal(false)
    })
  }

  const free: [what: string, asked: Asked][] = [
    ['without tools', {}],
    ['with an empty list of tools', { tools: [] }],
    ['with tools that must not be called', { tools, toolChoice: 'none' }],
    ['that is to be text', { responseFormat: { type: 'text' } }],
  ]
  for (const [what, asked] of free) {
    it(`${what} is bound by no grammar`, () => {
      expect(answerGrammar(rulesOf(asked, generalSyntax, think(false)))).to.equal(undefined)
    })
  }

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
    const asked = (strict: boolean): Asked => ({ tools: [{ name: 'f', parameters: negated, strict }] })
    const code = (make: () => unknown) => {
      try {
        make()
        return 'none'
      } catch (error) {
        if (!isSallyportError(error)) throw error
        return `${error.code} ${String(error.details['field'])}`
      }
    }
    expect(answerGrammar(rulesOf(asked(false), generalSyntax))?.unheld).to.have.length.above(0)
    expect(code(() => answerGrammar(rulesOf(asked(true), generalSyntax)))).to.equal(
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
        (asked, thoughts, parts) => {
          const rules = rulesOf({ tools, ...asked }, generalSyntax, thoughts)
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
          if (asked.toolChoice === 'required') expect(texts).to.have.length.above(0)
          if (!asked.parallelToolCalls) expect(texts).to.have.length.below(2)
          calls += texts.length
        },
      ),
      { numRuns: 1500, seed: 3 },
    )
    expect(calls).to.be.above(20)
  }).timeout(60_000)
})
