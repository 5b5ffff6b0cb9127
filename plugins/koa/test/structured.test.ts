/** Answers that are not what the request asks for, in both dialects. */

import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { player } from './support/models.js'
import { serverFor } from './support/server.js'

const call = (name: string) => ({ toolCall: { index: 0, id: 'c1', name, arguments: '{"secret"' } })

const models = [
  player('json', [{ delta: '{"size": ' }, { delta: '0}' }, { finish: 'stop' }]),
  player('caller', [call('f'), { finish: 'tool_calls' }]),
]

const tool = (name: string, strict = false) => ({ type: 'function', function: { name, strict } })
const sized = (minimum: number) => ({
  type: 'json_schema',
  json_schema: { name: 'size', schema: { properties: { size: { minimum } } } },
})

const refusal = (problem: string) =>
  `the model's answer is not what was asked for: choice 0${problem.startsWith(':') ? '' : ', '}${problem}; ask again, or ask for less (a looser schema)`

describe('what requests say that answers must be', () => {
  const server = serverFor(() => testKernel(models))

  const ask = async (path: string, model: string, fields: object) => {
    const answer = await server.post(`${path}/chat/completions`, { model, messages: 'hi', ...fields })
    return { status: answer.status, body: await answer.text() }
  }

  const cases: [what: string, model: string, fields: object, problem?: string][] = [
    ['a text by the schema', 'json', { response_format: sized(0) }],
    ['another text', 'json', { response_format: sized(1) }, `text at $.size: does not fit the schema's "minimum"`],
    ['the arguments of a tool, as they were written', 'caller', { tools: tool('f') }],
    ['the arguments of a strict tool', 'caller', { tools: tool('f', true) }, 'call 0, arguments: is not JSON'],
    ['a call of another tool', 'caller', { tools: tool('g') }, 'call 0: names a tool that the request does not allow'],
    [
      'a text where a tool must be called',
      'json',
      { tools: tool('g'), tool_choice: 'required' },
      ': has no tool call, though one is required',
    ],
  ]
  for (const [what, model, fields, problem] of cases)
    it(`are told of ${what}`, async () => {
      const answers = [await ask('', model, fields), await ask('/v1', model, fields)]
      if (problem === undefined) return expect(answers.map(({ status }) => status)).to.deep.equal([200, 200])
      const message = refusal(problem)
      const error = { message, type: 'invalid_request_error', code: 'invalid_output', param: null }
      expect(answers).to.deep.equal([
        { status: 400, body: JSON.stringify({ error: message }) },
        { status: 400, body: JSON.stringify({ error }) },
      ])
    })

  it('end a stream in the place of its finish', async () => {
    const fields = { stream: true, response_format: sized(1) }
    for (const path of ['', '/v1']) {
      const { status, body } = await ask(path, 'json', fields)
      expect(status).to.equal(200)
      expect(body).to.contain('"content":"{\\"size\\": "')
      expect(body).not.to.match(/"finish_reason":"|\[DONE\]/)
      expect(body.trimEnd().split('\n\n').at(-1))
        .to.match(/^data: \{"error":/)
        .and.contain('$.size')
    }
  })

  it('refuse a stream before it begins where the request is wrong', async () => {
    const tools = { ...tool('f'), function: { name: 'f', parameters: { type: 'strin' } } }
    const { status, body } = await ask('', 'caller', { stream: true, tools })
    expect(status).to.equal(400)
    expect(body).to.contain('tools.function.parameters.type: must be ')
  })
})
