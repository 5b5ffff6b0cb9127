import { expect } from 'chai'
import { startResponses } from '../support/response-server.js'
import type { ResponseServer } from '../support/response-server.js'

const hex = '[\\da-f]{32}'

describe('tools of responses', () => {
  let started: ResponseServer
  let heard: ResponseServer['heard']
  let ask: ResponseServer['ask']
  before(async () => {
    started = await startResponses()
    ;({ heard, ask } = started)
  })
  after(() => started.server.stop())

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
      expect(heard.calls.at(-1)).to.deep.equal({ server: 'town', name: 'weather', arguments: { city: 'Ulm' } })
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
    expect(heard.weatherman.at(-1)).to.include({ toolChoice: 'none' })
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
      const request = heard.recorder.at(-1)!
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
    expect(heard.recorder.at(-1)!.tools!.map(({ name }) => name)).to.deep.equal(['mayor', 'weather', 'town__mayor'])
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
    expect(heard.requested.at(-1)).to.deep.equal({
      label: 'far',
      url: 'https://user:pw-12@far.example/mcp?token=tk-34',
      description: 'Far away.',
      authorization: 'au-56',
      headers: [{ name: 'x-key', value: 'hd-78' }],
    })
    expect(heard.calls.at(-1)!.requested).to.deep.equal(heard.requested.at(-1))
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
    const refused = await started.server.post('/responses', {
      model: 'weatherman',
      input: 'hi',
      tools: tools.map((tool) => ({ ...tool, server_url: 'http://user:pw-12@far.example/mcp?token=tk-34' })),
    })
    expect(refused.status).to.equal(400)
    const told = started.logged() + (await refused.text()) + JSON.stringify(output)
    for (const secret of ['pw-12', 'tk-34', 'au-56', 'hd-78']) expect(told).not.to.contain(secret)
  })
})
