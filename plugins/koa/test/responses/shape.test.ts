import { expect } from 'chai'
import { startResponses } from '../support/response-server.js'
import type { ResponseServer } from '../support/response-server.js'

const hex = '[\\da-f]{32}'

describe('responses', () => {
  let started: ResponseServer
  let server: ResponseServer['server']
  let heard: ResponseServer['heard']
  let ask: ResponseServer['ask']
  before(async () => {
    started = await startResponses()
    ;({ server, heard, ask } = started)
  })
  after(() => started.server.stop())

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
    expect(heard.recorder.at(-1)).to.deep.equal({
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

  it('answer a connection check', async () => {
    expect(await (await server.get('/v1/responses')).json()).to.include.members(['speaker', 'weatherman'])
  })
})
