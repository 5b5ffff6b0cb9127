import { expect } from 'chai'
import type { ChatChunk } from '@sallyport/core'
import { callingTool, saying, stepper, town } from './support/conversations.js'
import { testKernel } from './support/kernel.js'
import { player, recorder } from './support/models.js'
import { startServer, withServer } from './support/server.js'
import type { TestServer } from './support/server.js'

interface Item {
  readonly type: string
  readonly id: string
  readonly [field: string]: unknown
}

interface ResponseJson {
  readonly id: string
  readonly status: string
  readonly output: readonly Item[]
  readonly [field: string]: unknown
}

const hex = '[\\da-f]{32}'
const weather = callingTool('weather', '{"city":', '"Ulm"}')

const thinking: ChatChunk[] = [{ reasoning: 'Hm' }, { reasoning: ' yes' }, ...saying(' \n', ' Hello', ' world')]

describe('responses', () => {
  let server: TestServer
  const { model, requests } = recorder({ image: true, tools: true })
  const weatherman = stepper('weatherman', [{ delta: 'Let me look.' }, ...weather], saying('It is sunny.'))
  const hall = town()
  before(async () => {
    const kernel = await testKernel([
      player('speaker', saying(' \n', ' Hello', ' world')),
      player('thinker', thinking),
      player('silent', [{ finish: 'stop' }]),
      player('cut', [{ delta: 'and so' }, { finish: 'length' }]),
      stepper('caller', callingTool('weather', '{"city":"Ulm"}'), saying('done')).model,
      stepper('mayors', callingTool('mayor', '{}'), saying('none')).model,
      weatherman.model,
      model,
      hall.model,
    ])
    server = await startServer(kernel)
  })
  after(() => server.stop())

  const ask = async (path: string, body: object): Promise<ResponseJson> => {
    const answer = await server.post(path, body)
    const text = await answer.text()
    expect(answer.status, text).to.equal(200)
    return JSON.parse(text) as ResponseJson
  }
  const refusal = async (body: object, path = '/responses'): Promise<string> => {
    const answer = await server.post(path, body)
    expect(answer.status).to.equal(400)
    return ((await answer.json()) as { error: string }).error
  }

  it('hold what the specification says, and leave out what was not asked', async () => {
    const response = await ask('/responses', { model: 'speaker', input: 'hi' })
    const { id, created_at: created, output, ...rest } = response
    expect(id).to.match(new RegExp(`^resp_${hex}$`))
    expect(created).to.be.within(Date.now() / 1000 - 60, Date.now() / 1000 + 1)
    expect(output[0]!.id).to.match(new RegExp(`^msg_${hex}$`))
    const content = { type: 'output_text', text: 'Hello world' }
    const message = { type: 'message', id: output[0]!.id, status: 'completed', role: 'assistant', content }
    expect(output).to.deep.equal([message])
    expect(rest).to.deep.equal({
      object: 'response',
      status: 'completed',
      model: 'speaker',
      parallel_tool_calls: 1,
      tool_choice: 'auto',
      tools: [],
      usage: {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 8,
      },
    })
  })

  it('have every field under /v1', async () => {
    const {
      id,
      created_at: created,
      completed_at: completed,
      output,
      usage,
      ...rest
    } = await ask('/v1/responses', {
      model: 'speaker',
      input: 'hi',
    })
    expect([id, created, completed, usage].every(Boolean)).to.equal(true)
    const part = { type: 'output_text', text: 'Hello world', annotations: [], logprobs: [] }
    expect(output[0]).to.deep.include({ type: 'message', content: [part] })
    expect(rest).to.deep.equal({
      object: 'response',
      status: 'completed',
      model: 'speaker',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: null,
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      truncation: 'disabled',
      metadata: {},
      service_tier: 'default',
      top_logprobs: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      safety_identifier: null,
      prompt_cache_key: null,
    })
  })

  it('repeat what was asked', async () => {
    const asked = {
      instructions: 'Be kind.',
      max_output_tokens: 50,
      max_tool_calls: 2,
      temperature: 0.5,
      top_p: 0.9,
      tool_choice: { type: 'function', name: 'f' },
      tools: [
        { type: 'function', name: 'f', description: 'A function.', parameters: { type: 'object' }, strict: true },
      ],
      text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true } },
      metadata: { order: '7' },
    }
    const body = { model: 'recorder', input: 'hi', reasoning: { effort: 'low' }, parallel_tool_calls: false, ...asked }
    const specified = await ask('/responses', body)
    expect(specified).to.deep.include({ ...asked, parallel_tool_calls: 0, reasoning: { effort: 'low' } })
    const openai = await ask('/v1/responses', body)
    expect(openai).to.deep.include({
      ...asked,
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: null },
    })
    expect(requests.at(-1)).to.deep.equal({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hi' },
      ],
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      reasoningEffort: 'low',
      parallelToolCalls: false,
      tools: [{ name: 'f', description: 'A function.', parameters: { type: 'object' }, strict: true }],
      toolChoice: { names: ['f'] },
      responseFormat: { type: 'json_schema', schema: { type: 'object' }, strict: true },
    })
  })

  it('show reasoning where there is any, before the message', async () => {
    const { output } = await ask('/responses', { model: 'thinker', input: 'hi' })
    expect(output.map(({ type, content }) => ({ type, content }))).to.deep.equal([
      { type: 'reasoning', content: { type: 'reasoning_text', text: 'Hm yes' } },
      { type: 'message', content: { type: 'output_text', text: 'Hello world' } },
    ])
    expect(output[0]!.id).to.match(new RegExp(`^rs_${hex}$`))
    const openai = await ask('/v1/responses', { model: 'thinker', input: 'hi' })
    expect(openai.output[0]).to.deep.include({ summary: [], content: [{ type: 'reasoning_text', text: 'Hm yes' }] })
  })

  it('hold an empty message where the model says nothing', async () => {
    const { output, status } = await ask('/responses', { model: 'silent', input: 'hi' })
    expect(status).to.equal('completed')
    expect(output.map(({ content }) => content)).to.deep.equal([{ type: 'output_text', text: '' }])
  })

  it('are incomplete where the model was cut off', async () => {
    const { status, incomplete_details: details, output } = await ask('/v1/responses', { model: 'cut', input: 'hi' })
    expect([status, details, output[0]!['status']]).to.deep.equal([
      'incomplete',
      { reason: 'max_output_tokens' },
      'incomplete',
    ])
  })

  it('hand calls of functions over', async () => {
    const tools = [{ type: 'function', name: 'weather', parameters: {} }]
    const { output, status } = await ask('/responses', { model: 'caller', input: 'hi', tools })
    expect(status).to.equal('completed')
    const [{ id, ...call } = { id: '' }] = output
    expect(id).to.match(new RegExp(`^fc_${hex}$`))
    expect(call).to.deep.equal({
      type: 'function_call',
      call_id: 'call_weather',
      name: 'weather',
      arguments: '{"city":"Ulm"}',
      status: 'completed',
    })
  })

  for (const [path, result] of [
    ['/responses', { output: 'sunny in Ulm' }],
    ['/v1/responses', { output: 'sunny in Ulm', error: null, approval_request_id: null }],
  ] as const)
    it(`make calls of remote tools, and sum the usage: ${path}`, async () => {
      const tools = [{ type: 'mcp', server_label: 'town', initials: 'tw' }]
      const { output, usage } = await ask(path, { model: 'weatherman', input: 'How is Ulm?', tools })
      expect(output.map(({ type }) => type)).to.deep.equal(['message', 'mcp_call', 'message'])
      const { id, call_id: callId, ...call } = output[1]!
      expect(id).to.match(new RegExp(`^tw_${hex}$`))
      expect(callId).to.match(new RegExp(`^mcp_${hex}$`))
      expect(call).to.deep.equal({
        type: 'mcp_call',
        status: 'completed',
        name: 'weather',
        arguments: '{"city":"Ulm"}',
        server_label: 'town',
        ...result,
      })
      expect(hall.calls.at(-1)).to.deep.equal({ server: 'town', name: 'weather', arguments: { city: 'Ulm' } })
      expect(usage).to.deep.include({ input_tokens: 10, output_tokens: 6, total_tokens: 16 })
    })

  it('tell the error of a tool', async () => {
    const tools = { type: 'mcp', server_label: 'town' }
    const { output, status } = await ask('/responses', { model: 'mayors', input: 'hi', tools })
    expect(status).to.equal('completed')
    expect(output[0]).to.include({ type: 'mcp_call', status: 'failed', error: 'the town has none' })
    expect(output[0]!.id).to.match(/^mcp_/)
    expect(output[0]).not.to.have.property('output')
  })

  it('make no more calls than they may', async () => {
    const tools = [{ type: 'mcp', server_label: 'town' }]
    const body = { model: 'weatherman', input: 'How is Ulm?', tools, max_tool_calls: 1 }
    await ask('/responses', body)
    expect(weatherman.requests.at(-1)).to.include({ toolChoice: 'none' })
    const { output } = await ask('/responses', { ...body, max_tool_calls: 0 })
    expect(output.map(({ type }) => type)).to.deep.equal(['message'])
  })

  for (const [what, fields, offered, toolChoice] of [
    ['all', {}, ['weather', 'mayor'], undefined],
    ['a list', { allowed_tools: ['mayor'] }, ['mayor'], undefined],
    ['a list of objects', { allowed_tools: [{ name: 'mayor' }] }, ['mayor'], undefined],
    ['an object', { allowed_tools: { tool_names: ['weather'] } }, ['weather'], undefined],
    ['no approval', { require_approval: 'never' }, ['weather', 'mayor'], undefined],
    [
      'a choice of the server',
      { choice: { type: 'mcp', server_label: 'town' } },
      ['weather', 'mayor'],
      ['weather', 'mayor'],
    ],
    [
      'a choice of one tool',
      { choice: { type: 'mcp', server_label: 'town', name: 'mayor' } },
      ['weather', 'mayor'],
      ['mayor'],
    ],
    [
      'a choice among some',
      {
        choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', server_label: 'town', name: 'mayor' }] },
      },
      ['mayor'],
      'auto',
    ],
    [
      'a choice of one among some',
      { choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'mcp', server_label: 'town' }] } },
      ['weather', 'mayor'],
      'required',
    ],
    ['any', { choice: 'any' }, ['weather', 'mayor'], 'required'],
    ['none', { choice: 'none' }, ['weather', 'mayor'], 'none'],
  ] as const)
    it(`offer what is allowed: ${what}`, async () => {
      const { choice, ...allowed } = { choice: undefined, ...fields }
      const tools = [{ type: 'mcp', server_label: 'town', ...allowed }]
      await ask('/responses', { model: 'recorder', input: 'hi', tools, ...(choice ? { tool_choice: choice } : {}) })
      const request = requests.at(-1)!
      expect(request.tools!.map(({ name }) => name)).to.deep.equal(offered)
      const chosen = request.toolChoice
      expect(typeof chosen === 'object' ? chosen.names : chosen).to.deep.equal(toolChoice)
    })

  it('name equal tools by their servers', async () => {
    const tools = [
      { type: 'function', name: 'mayor' },
      { type: 'mcp', server_label: 'town' },
    ]
    await ask('/responses', { model: 'recorder', input: 'hi', tools })
    expect(requests.at(-1)!.tools!.map(({ name }) => name)).to.deep.equal(['mayor', 'weather', 'town__mayor'])
  })

  it('pass a server of the request on, and repeat none of its secrets', async () => {
    const tools = [
      {
        type: 'mcp',
        server_label: 'far',
        server_url: 'https://user:pw-12@far.example/mcp?token=tk-34',
        server_description: 'Far away.',
        authorization: 'au-56',
        headers: { 'x-key': 'hd-78' },
      },
    ]
    const { tools: echoed, output } = await ask('/v1/responses', { model: 'weatherman', input: 'hi', tools })
    expect(hall.requested.at(-1)).to.deep.equal({
      label: 'far',
      url: 'https://user:pw-12@far.example/mcp?token=tk-34',
      description: 'Far away.',
      authorization: 'au-56',
      headers: [{ name: 'x-key', value: 'hd-78' }],
    })
    expect(hall.calls.at(-1)!.requested).to.deep.equal(hall.requested.at(-1))
    expect(output[1]).to.include({ type: 'mcp_call', server_label: 'far' })
    expect(echoed).to.deep.equal([
      {
        type: 'mcp',
        server_label: 'far',
        server_url: 'https://far.example/mcp',
        server_description: 'Far away.',
        require_approval: 'never',
      },
    ])
  })

  const picture = 'data:image/png;base64,iVBORw0KGgo='
  const image = { type: 'image', mediaType: 'image/png', image: Buffer.from('iVBORw0KGgo=', 'base64') }
  const call = (id: string) => ({ id, name: 'f', arguments: '{}' })
  for (const [what, input, messages] of [
    ['a message without a type', [{ role: 'user', content: 'a' }], [{ role: 'user', content: 'a' }]],
    [
      'a developer’s message',
      [{ type: 'message', role: 'developer', content: 'a' }],
      [{ role: 'system', content: 'a' }],
    ],
    [
      'parts',
      [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: picture, detail: 'low' },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { ...image, detail: 'low' },
          ],
        },
      ],
    ],
    [
      'a picture as an object',
      [{ role: 'user', content: [{ type: 'input_image', image_url: { url: picture } }] }],
      [{ role: 'user', content: [image] }],
    ],
    [
      'what the model said, fed back in both dialects',
      [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: { type: 'output_text', text: 'a' },
        },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'b', annotations: [] },
            { type: 'refusal', refusal: 'c' },
          ],
        },
      ],
      [
        { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'b' },
            { type: 'text', text: 'c' },
          ],
        },
      ],
    ],
    [
      'calls in a row, and their results',
      [
        { role: 'assistant', content: 'I call.' },
        { type: 'function_call', id: 'fc_1', call_id: 'x', name: 'f', arguments: '{}', status: 'completed' },
        { call_id: 'y', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'x', output: 'text' },
        { call_id: 'y', output: { a: [1, null] } },
      ],
      [
        { role: 'assistant', content: 'I call.', toolCalls: [call('x'), call('y')] },
        { role: 'tool', content: 'text', toolCallId: 'x' },
        { role: 'tool', content: '{"a":[1,null]}', toolCallId: 'y' },
      ],
    ],
    ...[
      [
        [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
        'ab',
      ],
      [7, '7'],
      [false, 'false'],
      [null, 'null'],
      ['', ''],
      [['a', 'b'], '["a","b"]'],
    ].map(
      ([output, content]) =>
        [
          `an output ${JSON.stringify(output)}`,
          [{ type: 'function_call_output', call_id: 'x', output }],
          [{ role: 'tool', content, toolCallId: 'x' }],
        ] as const,
    ),
    [
      'a remote call, a list of tools, and thoughts',
      [
        { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'town', tools: [] },
        { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
        {
          type: 'mcp_call',
          id: 'mcp_1',
          server_label: 'town',
          name: 'f',
          arguments: '{}',
          output: 'sunny',
          error: null,
        },
        { type: 'mcp_call', id: 'mcp_2', server_label: 'town', name: 'f', arguments: '{}', output: null, error: 'no' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'So' }] },
        { role: 'assistant', content: 'Sun.' },
      ],
      [
        { role: 'assistant', content: '', reasoning: 'Hm', toolCalls: [call('mcp_1')] },
        { role: 'tool', content: 'sunny', toolCallId: 'mcp_1' },
        { role: 'assistant', content: '', toolCalls: [call('mcp_2')] },
        { role: 'tool', content: 'no', toolCallId: 'mcp_2' },
        { role: 'assistant', content: 'Sun.', reasoning: 'So' },
      ],
    ],
  ] as const)
    it(`read ${what}`, async () => {
      await ask('/responses', { model: 'recorder', input })
      const read = requests.at(-1)!.messages
      expect(read).to.deep.equal(messages)
    })

  for (const [field, problem, body] of [
    ['input', 'is required', {}],
    ['input', 'must be a non-empty string', { input: [] }],
    ['input[0].type', 'must be', { input: [{ type: 'video' }] }],
    ['input[0]', 'must be an object with a role and content', { input: [{ id: 'x' }] }],
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
    ['input[0].id', 'names no item that is kept', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    [
      'input[0].output',
      'must hold no pictures',
      {
        input: [{ type: 'function_call_output', call_id: 'x', output: [{ type: 'input_image', image_url: picture }] }],
      },
    ],
    ['previous_response_id', 'responses are not kept here', { input: 'a', previous_response_id: 'resp_1' }],
    ['tools[0].name', 'is required', { input: 'a', tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['tools[0].type', 'must be "function" or "mcp"', { input: 'a', tools: [{ type: 'web_search' }] }],
    ['tools[1].name', 'must differ', { input: 'a', tools: ['f', 'f'].map((name) => ({ type: 'function', name })) }],
    ['tools[0].server_label', 'is required', { input: 'a', tools: [{ type: 'mcp' }] }],
    [
      'tools[0].server_label',
      'there is no server nowhere',
      { input: 'a', tools: [{ type: 'mcp', server_label: 'nowhere' }] },
    ],
    [
      'tools[0].authorization',
      'needs "server_url"',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'town', authorization: 'x' }],
      },
    ],
    [
      'tools[0].server_url',
      'only https addresses are allowed',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'far', server_url: 'http://far.example' }],
      },
    ],
    [
      'tools[0].server_url',
      'must be a URL',
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'far', server_url: 'nowhere' }],
      },
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
      {
        input: 'a',
        tools: [{ type: 'mcp', server_label: 'town', require_approval: 'always' }],
      },
    ],
    ['tool_choice', 'needs "tools"', { input: 'a', tool_choice: 'required' }],
    [
      'tool_choice.name',
      'must be the name of one of the functions: f',
      {
        input: 'a',
        tools: [{ type: 'function', name: 'f' }],
        tool_choice: { type: 'function', name: 'g' },
      },
    ],
    [
      'tool_choice.server_label',
      'must name one of the servers',
      {
        input: 'a',
        tools: [{ type: 'function', name: 'f' }],
        tool_choice: { type: 'mcp', server_label: 'town' },
      },
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
    ['text.format.schema', 'is required', { input: 'a', text: { format: { type: 'json_schema' } } }],
    ['reasoning.effort', 'must be', { input: 'a', reasoning: { effort: 'huge' } }],
    ['temperature', 'must be', { input: 'a', temperature: 3 }],
    ['safeguards.pi', 'is unknown', { input: 'a', safeguards: { pi: 'block' } }],
    ['safeguards.pii', 'is missing', { input: 'a', safeguards: { entity_list: ['PERSON'] } }],
    ['saveguards', 'is no field here: use safeguards', { input: 'a', saveguards: { pii: 'block' } }],
    ['pii', 'is no field here: use safeguards.pii', { input: 'a', pii: 'block' }],
    ['output', 'is no field here: use safeguards', { input: 'a', output: { toxicity: true } }],
  ] as const)
    it(`are refused for ${field}: ${problem}`, async () => {
      const message = await refusal({ model: 'recorder', ...body })
      expect(message).to.contain(problem)
      expect(message.startsWith(`${field}: `), message).to.equal(true)
    })

  it('need a model that sees, for pictures', async () => {
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url: picture }] }]
    expect(await refusal({ model: 'speaker', input })).to.equal(
      'input: the model speaker reads no pictures; these do: recorder',
    )
  })

  it('answer a connection check', async () => {
    expect(await (await server.get('/v1/responses')).json()).to.include.members(['speaker', 'weatherman'])
  })
})

describe('safeguards of responses', () => {
  const finding = (text: string) =>
    [...text.matchAll(/Ann/g)].map(({ index }) => ({ type: 'PERSON', start: index, end: index + 3, score: 1 }))
  const inspection = { explanation: '', detector: 'test', latency: 0, score: 0 }
  const detectors = {
    id: 'detectors',
    services: {
      pii: {
        inspect: ({ text }: { text: string }) => Promise.resolve({ ...inspection, findings: finding(text) }),
        replace: ({ text }: { text: string }) => Promise.resolve({ text: text.replaceAll('Ann', '[who]'), spans: [] }),
      },
    },
  }

  it('block with a status before anything is sent, and repeat nothing that they replaced', async () => {
    const { model, requests } = recorder()
    await withServer(await testKernel([model, detectors]), {}, async ({ post }) => {
      const body = { model: 'recorder', input: 'I am Ann', instructions: 'Ask Ann.', stream: true }
      const blocked = await post('/v1/responses', { ...body, safeguards: { pii: 'block' } })
      expect(blocked.status).to.equal(400)
      expect(await blocked.json()).to.deep.nested.include({
        'error.message': 'pii detected',
        'error.code': 'content_filter',
      })
      const replaced = await post('/responses', { ...body, stream: false, safeguards: { pii: 'replace' } })
      const text = await replaced.text()
      expect(text).not.to.contain('Ann')
      expect(requests.at(-1)!.messages.map(({ content }) => content)).to.deep.equal(['Ask [who].', 'I am [who]'])
      expect(replaced.headers.get('x-safeguards')).to.contain('pii=replace')
    })
  })

  it('say where in the items they found something', async () => {
    const { model } = recorder()
    await withServer(await testKernel([model, detectors]), {}, async ({ post }) => {
      const input = [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_text', text: 'Ann!' },
          ],
        },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"who":"Ann"}' },
        { type: 'function_call_output', call_id: 'a', output: 'Ann?' },
      ]
      const body = { model: 'recorder', instructions: 'Ann', input, safeguards: { pii: 'replace' } }
      const answer = await post('/responses', body, { 'x-safeguards-receipt': 'true' })
      const { safeguards } = (await answer.json()) as { safeguards: { spans: { field: string }[] }[] }
      expect(safeguards[0]!.spans.map(({ field }) => field)).to.have.members([
        'instructions',
        'input[0].content[1].text',
        'input[1].arguments',
        'input[2].output',
      ])
    })
  })
})
