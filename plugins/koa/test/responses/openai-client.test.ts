/** Responses and chat as OpenAI's own client reads them. */

import { expect } from 'chai'
import OpenAI from 'openai'
import type { ResponseInput, ResponseStreamEvent, Tool } from 'openai/resources/responses/responses'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { testKernel } from '../support/kernel.js'
import { player } from '../support/models.js'
import { serverFor } from '../support/server.js'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const weatherTool: Tool = { type: 'function', name: 'weather', parameters, strict: true }
const townTool: Tool = { type: 'mcp', server_label: 'town', require_approval: 'never' }
const weather = callingTool('weather', '{"ci', 'ty":"Ulm"}')

describe('the client of OpenAI', () => {
  const server = serverFor(() =>
    testKernel([
      player('speaker', saying(' \n', ' Hello', ' world')),
      player('thinker', [{ reasoning: 'Hm' }, ...saying('Yes')]),
      stepper('caller', weather, saying('Sunny.')).model,
      player('broken', [{ delta: 'A sentence. ' }, { finish: 'unknown' as 'stop' }]),
      town().model,
    ]),
  )
  let client: OpenAI
  before(() => {
    client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key, maxRetries: 0 })
  })

  const stream = async (body: { model: string; tools?: Tool[] }): Promise<ResponseStreamEvent[]> => {
    const events: ResponseStreamEvent[] = []
    for await (const event of await client.responses.create({ ...body, input: 'hi', stream: true })) events.push(event)
    return events
  }
  const types = (events: readonly ResponseStreamEvent[]) => events.map(({ type }) => type.replace('response.', ''))

  it('reads a response', async () => {
    const response = await client.responses.create({ model: 'speaker', input: 'hi' })
    expect(response.output_text).to.equal('Hello world')
    expect(response.status).to.equal('completed')
    expect(response.usage!.total_tokens).to.equal(8)
  })

  it('reads a stream', async () => {
    const events = await stream({ model: 'speaker' })
    expect(types(events)).to.deep.equal([
      ...['created', 'in_progress', 'output_item.added', 'content_part.added'],
      ...['output_text.delta', 'output_text.delta'],
      ...['output_text.done', 'content_part.done', 'output_item.done', 'completed'],
    ])
    expect(events.map(({ sequence_number: number }) => number)).to.deep.equal(events.map((_, at) => at))
    const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    expect(deltas.join('')).to.equal('Hello world')
  })

  it('reads reasoning', async () => {
    expect(types(await stream({ model: 'thinker' })).slice(2, 8)).to.deep.equal([
      ...['output_item.added', 'content_part.added', 'reasoning_text.delta'],
      ...['reasoning_text.done', 'content_part.done', 'output_item.done'],
    ])
  })

  it('collects a stream of its own', async () => {
    const running = client.responses.stream({ model: 'caller', input: 'hi', tools: [weatherTool] })
    const { output } = await running.finalResponse()
    expect(output[0]).to.include({ type: 'function_call', name: 'weather', arguments: '{"city":"Ulm"}' })
    const text = client.responses.stream({ model: 'speaker', input: 'hi' })
    expect((await text.finalResponse()).output_text).to.equal('Hello world')
  })

  it('goes on with what its function returned', async () => {
    const input: ResponseInput = [{ role: 'user', content: 'How is Ulm?' }]
    const first = await client.responses.create({ model: 'caller', input, tools: [weatherTool] })
    for (const item of first.output) {
      input.push(item as ResponseInput[number])
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: 'sunny' })
    }
    const second = await client.responses.create({ model: 'caller', input, tools: [weatherTool] })
    expect(second.output_text).to.equal('Sunny.')
  })

  it('reads calls of remote tools, streamed and not', async () => {
    const { output } = await client.responses.create({ model: 'caller', input: 'hi', tools: [townTool] })
    expect(output.map(({ type }) => type)).to.deep.equal(['mcp_call', 'message'])
    const events = await stream({ model: 'caller', tools: [townTool] })
    expect(types(events).slice(2, 8)).to.deep.equal([
      ...['output_item.added', 'mcp_call.in_progress', 'mcp_call_arguments.delta'],
      ...['mcp_call_arguments.done', 'mcp_call.completed', 'output_item.done'],
    ])
    const last = events.at(-1)!
    expect(last.type === 'response.completed' && last.response.output[0]).to.include({ output: 'sunny in Ulm' })
  })

  it('hears of a failure in the middle of a stream', async () => {
    const last = (await stream({ model: 'broken' })).at(-1)!
    expect(last.type === 'response.failed' && last.response.error).to.have.property('code', 'server_error')
  })

  it('hears of a refusal', async () => {
    const failure = await client.responses
      .create({ model: 'speaker', input: 'hi', previous_response_id: 'resp_1' })
      .catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(OpenAI.BadRequestError)
    expect(failure).to.include({ param: 'previous_response_id' })
  })

  it('reads streamed calls of functions from chat', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const running = client.chat.completions.stream({ model: 'caller', messages, tools })
    const { choices } = await running.finalChatCompletion()
    expect(choices[0]!.finish_reason).to.equal('tool_calls')
    expect(choices[0]!.message.tool_calls![0]).to.deep.nested.include({
      id: 'call_weather',
      'function.name': 'weather',
      'function.arguments': '{"city":"Ulm"}',
    })
  })
})
