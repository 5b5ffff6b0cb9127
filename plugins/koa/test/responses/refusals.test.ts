import { expect } from 'chai'
import { startResponses } from '../support/response-server.js'
import type { ResponseServer } from '../support/response-server.js'

describe('requests for responses', () => {
  let started: ResponseServer
  let refusal: ResponseServer['refusal']
  before(async () => {
    started = await startResponses()
    ;({ refusal } = started)
  })
  after(() => started.server.stop())

  const image = 'data:image/png;base64,iVBORw0KGgo='
  for (const [field, problem, body] of [
    ['input', 'is required', {}],
    ['input', 'must be a non-empty string', { input: [] }],
    ['input[0].type', 'must be', { input: [{ type: 'video' }] }],
    ['input[0]', 'must be an object with a role and content', { input: [{ id: 'x' }] }],
    ['input[0].role', 'is required', { input: [{ content: 'a' }] }],
    ['input[0].content', 'is required', { input: [{ role: 'user' }] }],
    ['input[0].content[0].text', 'is required', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
    [
      'input[1].call_id',
      'is required',
      {
        input: [
          { role: 'user', content: 'a' },
          { type: 'function_call', name: 'f' },
        ],
      },
    ],
    ['input[0].id', 'names no stored item', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    [
      'input[0].output',
      'must not hold images',
      {
        input: [{ type: 'function_call_output', call_id: 'x', output: [{ type: 'input_image', image_url: image }] }],
      },
    ],
    ['previous_response_id', 'responses are not stored here', { input: 'a', previous_response_id: 'resp_1' }],
    ['tools[0].name', 'is required', { input: 'a', tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['tools[0].type', 'must be "function" or "mcp"', { input: 'a', tools: [{ type: 'web_search' }] }],
    ['tools[1].name', 'must differ', { input: 'a', tools: ['f', 'f'].map((name) => ({ type: 'function', name })) }],
    [
      'tools[1].server_label',
      'must differ from the labels',
      { input: 'a', tools: ['town', 'town'].map((label) => ({ type: 'mcp', server_label: label })) },
    ],
    ['tools[0].server_label', 'is required', { input: 'a', tools: [{ type: 'mcp' }] }],
    [
      'tools[0].server_label',
      'there is no server nowhere',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'nowhere' }] },
    ],
    [
      'tools[0].allowed_tools',
      'town has no tool sheriff, or one that waits for approval by the operator, or that a safeguard leaves out; it has: weather, mayor',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'town', allowed_tools: ['weather', 'sheriff'] }] },
    ],
    [
      'tools[0].allowed_tools.tool_names',
      'is required',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'town', allowed_tools: {} }] },
    ],
    [
      'tools[0].allowed_tools.read_only',
      'name the tools in "tool_names"',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'town', allowed_tools: { tool_names: ['weather'], read_only: true } }],
      },
    ],
    [
      'tools[0].authorization',
      'needs "server_url"',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'town', authorization: 'x' }] },
    ],
    [
      'tools[0].server_url',
      'only https addresses are allowed',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'far', server_url: 'http://far.example' }] },
    ],
    [
      'tools[0].server_url',
      'must be a URL',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'far', server_url: 'nowhere' }] },
    ],
    [
      'tools[0].headers',
      'must not name the host',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'far', server_url: 'https://far.example', headers: { host: 'x' } }],
      },
    ],
    [
      'tools[0].require_approval',
      '"never"',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'town', require_approval: 'always' }] },
    ],
    ['tool_choice', 'without "tools"', { input: 'a', tool_choice: 'any' }],
    ['tool_choice', 'without "tools"', { input: 'a', tool_choice: { type: 'function', name: 'f' } }],
    ['tool_choice', 'without "tools"', { input: 'a', tool_choice: 'required' }],
    [
      'tool_choice.name',
      'must be the name of one of the tools: f',
      { input: 'a', tools: [{ type: 'function', name: 'f' }], tool_choice: { type: 'function', name: 'g' } },
    ],
    [
      'tool_choice.server_label',
      'must name one of the servers',
      { input: 'a', tools: [{ type: 'function', name: 'f' }], tool_choice: { type: 'mcp', server_label: 'town' } },
    ],
    [
      'tool_choice.tools[0].name',
      'must name one of the servers',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'town' }],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 'town', name: 'x' }] },
      },
    ],
    [
      'tools[2].parameters.type',
      'must be',
      {
        input: 'a',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'mcp', server_label: 'town' },
          { type: 'function', name: 'g', parameters: { type: 'thing' } },
        ],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'g' }] },
      },
    ],
    ['background', 'must be false', { input: 'a', background: true }],
    ['conversation', 'must be absent', { input: 'a', conversation: 'conv_1' }],
    ['conversation', 'must be absent', { input: 'a', conversation: { id: 'conv_1' } }],
    ['prompt', 'must be absent', { input: 'a', prompt: { id: 'pmpt_1' } }],
    ['truncation', 'must be "disabled"', { input: 'a', truncation: 'auto' }],
    ['text.format.schema', 'is required', { input: 'a', text: { format: { type: 'json_schema' } } }],
    ['reasoning.effort', 'must be', { input: 'a', reasoning: { effort: 'huge' } }],
    ['temperature', 'must be', { input: 'a', temperature: 3 }],
    ['safeguards.pi', 'is unknown', { input: 'a', safeguards: { pi: 'block' } }],
    ['safeguards.pii', 'is missing', { input: 'a', safeguards: { entity_list: ['PERSON'] } }],
    ['saveguards', 'is not a field here: use safeguards', { input: 'a', saveguards: { pii: 'block' } }],
    ['pii', 'is not a field here: use safeguards.pii', { input: 'a', pii: 'block' }],
    ['output', 'is not a field here: use safeguards', { input: 'a', output: { toxicity: true } }],
  ] as const)
    it(`are refused for ${field}: ${problem}`, async () => {
      const message = await refusal({ model: 'recorder', ...body })
      expect(message).to.contain(problem)
      expect(message.startsWith(`${field}: `), message).to.equal(true)
    })

  it('may say what holds anyway', async () => {
    const plain = { background: false, conversation: null, prompt: null, truncation: 'disabled' }
    const { status } = await started.server.post('/v1/responses', { model: 'recorder', input: 'a', ...plain })
    expect(status).to.equal(200)
  })

  it('need a model that sees, for images', async () => {
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: image }] }]
    expect(await refusal({ model: 'speaker', input })).to.equal(
      'input: the model speaker reads no images; these do: recorder',
    )
  })
})
