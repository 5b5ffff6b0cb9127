import { loadGrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import type { GrammarEngine } from '@sallyport/stand-ins/grammar-engine'
import { expect } from 'chai'
import { answerGrammar } from '../../src/answer/answer-grammar.js'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import type { CallSyntax, ReasoningSyntax } from '../../src/answer/syntax.js'
import { generalSyntax } from '../../src/template/general-tools.js'
import { think } from '../support/answers.js'
import { answerSchema, any, anything, clock, rain, rulesOf, tools } from '../support/requests.js'
import type { RequestParts } from '../support/requests.js'
import {
  bareSyntax,
  deepSeekSyntax,
  mistralSyntax,
  nameOnlySyntax,
  singleSyntax,
  tagSyntax,
} from '../support/syntaxes.js'

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
  readonly request: RequestParts
  readonly syntax?: CallSyntax
  readonly reasoning?: ReasoningSyntax
  readonly accepted: readonly string[]
  readonly refused: readonly string[]
}

const cases: Case[] = [
  {
    what: 'may be text or calls',
    request: { tools },
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
    request: { tools, parallelToolCalls: false },
    accepted: ['Hi', rain, `Hm ${clock}`],
    refused: [`${rain}\n${clock}`, ...broken],
  },
  {
    what: 'is a call where one is required',
    request: { tools, toolChoice: 'required' },
    accepted: [rain, clock, `${rain}\n${clock}`],
    refused: ['', 'Hi', `Hi ${rain}`, ' ', ...broken],
  },
  {
    what: 'is a call of the named tools',
    request: { tools, toolChoice: { names: ['time'] } },
    accepted: [clock],
    refused: ['', 'Hi', rain, `${clock}\n${rain}`],
  },
  {
    what: 'has arguments that are an object where no schema says so',
    request: { tools: [anything, { name: 'other', parameters: { properties: { a: { type: 'null' } } } }] },
    accepted: [
      any('{}'),
      any('{"a": [1, {"b": null}]}'),
      any('{"a": 1}').replace('anything', 'other').replace('1', 'null'),
    ],
    refused: [any('[]'), any('1'), any('null'), any('{"a"}'), any('{"a": 1}').replace('anything', 'other')],
  },
  {
    what: 'calls a function without parameters with none',
    request: { tools: [{ name: 'anything' }] },
    accepted: [any('{}')],
    refused: [any('{"a": 1}')],
  },
  {
    what: 'is JSON by its schema, or calls',
    request: { tools, responseFormat: answerSchema },
    accepted: ['{"n": 1}', '{"n":-20}', rain, `${rain}\n${clock}`],
    refused: ['', 'Hi', '{}', '{"n": "1"}', `{"n": 1}${rain}`, `Hm ${rain}`, ...broken],
  },
  {
    what: 'is an object, or calls',
    request: { tools, responseFormat: { type: 'json_object' } },
    accepted: ['{}', '{"a": "<tool_call>"}', rain],
    refused: ['[]', 'Hi', '1', ...broken],
  },
  {
    what: 'is JSON where the tools may not be called',
    request: { tools, toolChoice: 'none', responseFormat: answerSchema },
    accepted: ['{"n": 1}'],
    refused: [rain, '', '{"n": 1} '],
  },
  {
    what: 'begins with reasoning, or not',
    request: { tools, toolChoice: 'required' },
    reasoning: think(false),
    accepted: [
      rain,
      `<think>\nI <think> so\n</think>\n\n${rain}`,
      `<think></think>${rain}`,
      `<think>${broken[2]}</think>${rain}`,
    ],
    refused: ['<think>', '<think>\n</think>', `<think>${rain}`, `<think></think>Hi`, `<think></think>\n\n\n${rain}`],
  },
  {
    what: 'begins with reasoning that the prompt has opened',
    request: { responseFormat: answerSchema },
    reasoning: think(true),
    accepted: ['so</think>{"n": 1}', '</th</think>\n{"n": 1}', '</think>{"n": 1}'],
    refused: ['{"n": 1}', 'so</think>', '<think>so</think>'],
  },
  {
    what: 'is text behind reasoning, too',
    request: { tools },
    reasoning: think(false),
    accepted: ['Hi', '<think>hm</think>Hi', `<think>hm</think>\nHi ${rain}`, '<think>hm'],
    refused: ['<think>hm</think>Hi <tool_call>'],
  },
  {
    what: 'is a bare call, or text that does not begin like one',
    request: { tools },
    syntax: bareSyntax,
    accepted: ['', 'Hi', 'So: {"name": "x"}', bare],
    refused: ['{', '{"name": "x"}', bare.slice(0, -1), bare.replace('Rom"', 'Rom'), `${bare}; ${bare}`, `${bare} `],
  },
  {
    what: 'is a bare call or JSON',
    request: { tools, responseFormat: answerSchema },
    syntax: bareSyntax,
    accepted: [bare, '{"n": 1}'],
    refused: ['Hi', `${bare}{"n": 1}`],
  },
  {
    what: 'is a list of calls with ids',
    request: { tools },
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
    request: { tools },
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
    request: { tools, toolChoice: 'required' },
    syntax: deepSeekSyntax,
    accepted: [`${String(deepSeekSyntax.begin[0])}time\n\`\`\`json\n{"hour": 1}${String(deepSeekSyntax.end[0])}`],
    refused: ['<｜tool▁calls▁begin｜>', `${String(deepSeekSyntax.begin[0])}time`],
  },
  {
    what: 'is one call where the syntax knows but one',
    request: { tools },
    syntax: singleSyntax,
    accepted: ['<call>time {"hour": 1}', 'Hi'],
    refused: ['<call>time {"hour": 1}<call>time {"hour": 1}', '<call>time{"hour": 1}'],
  },
  {
    what: 'is a name with arguments behind it',
    request: { tools },
    syntax: nameOnlySyntax,
    accepted: ['[TOOL_CALLS]time{"hour": 1}'],
    refused: ['[TOOL_CALLS]time', '[TOOL_CALLS]{"hour": 1}'],
  },
]

describe('an answer', () => {
  let engine: GrammarEngine

  before(async function () {
    this.timeout(60_000)
    engine = await loadGrammarEngine()
  })

  const acceptsBy = (rules: AnswerRules) => engine.parse(answerGrammar(rules)?.gbnf ?? '')

  for (const { what, request, syntax = generalSyntax, reasoning, accepted, refused } of cases) {
    it(what, () => {
      const fits = acceptsBy(rulesOf(request, syntax, reasoning))
      for (const text of accepted) expect(fits(text), `refused: ${text}`).to.equal(true)
      for (const text of refused) expect(fits(text), `accepted: ${text}`).to.equal(false)
    })
  }

  const free: [what: string, request: RequestParts][] = [
    ['without tools', {}],
    ['with an empty list of tools', { tools: [] }],
    ['with tools that must not be called', { tools, toolChoice: 'none' }],
    ['that is to be text', { responseFormat: { type: 'text' } }],
  ]
  for (const [what, request] of free) {
    it(`${what} is bound by no grammar`, () => {
      expect(answerGrammar(rulesOf(request, generalSyntax, think(false)))).to.equal(undefined)
    })
  }
})
