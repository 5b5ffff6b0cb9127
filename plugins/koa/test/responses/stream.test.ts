import type { ChatChunk } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { testKernel } from '../support/kernel.js'
import type { TestModel } from '../support/kernel.js'
import { play } from '../support/models.js'
import { callingTool, saying, town, usage } from '../support/conversations.js'
import { withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'

interface Event {
  readonly type: string
  readonly sequence_number: number
  readonly output_index?: number
  readonly item_id?: string
  readonly delta?: string
  readonly text?: string
  readonly arguments?: string
  readonly item?: { readonly id: string; readonly type: string }
  readonly response?: { readonly output: readonly { readonly id: string; readonly type: string }[] }
}

const read = async (answer: Response): Promise<{ readonly lines: string[]; readonly events: Event[] }> => {
  const lines = (await answer.text()).split('\n')
  const events = lines
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event)
  return { lines, events }
}

/** Ids and times are made anew for each response. */
const comparable = (response: unknown): unknown =>
  JSON.parse(
    JSON.stringify(response, (key, value: unknown) =>
      ['id', 'call_id', 'item_id', 'created_at', 'completed_at'].includes(key) ? undefined : value,
    ),
  )

/** A model whose steps are changed from test to test. */
const changing = (): { readonly model: TestModel; steps: ChatChunk[][] } => {
  const played: { readonly model: TestModel; steps: ChatChunk[][] } = {
    steps: [],
    model: {
      id: 'changing',
      features: { tools: true },
      services: {
        chat: {
          stream: ({ messages }, call) => {
            const said = messages.filter(({ role }) => role === 'assistant').length
            return play(played.steps[Math.min(said, played.steps.length - 1)] ?? [], call)
          },
        },
      },
    },
  }
  return played
}

const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

const tools = [
  { type: 'function', name: 'mine' },
  { type: 'mcp', server_label: 'town' },
]

describe('streamed responses', () => {
  const played = changing()
  const ask = async (server: TestServer, path: string, more: object = {}) =>
    server.post(path, { model: 'changing', input: 'hi', tools, ...more })
  const serve = async (use: (server: TestServer) => Promise<void>) =>
    withServer(await testKernel([played.model, town().model]), {}, use)

  it('have only data lines and an end of their own in the specification’s dialect', () =>
    serve(async (server) => {
      played.steps = [saying('Hello', ' world')]
      const { lines, events } = await read(await ask(server, '/responses', { stream: true }))
      expect(lines.filter((line) => line && !line.startsWith('data: '))).to.deep.equal([])
      expect(lines.slice(-3)).to.deep.equal(['data: [DONE]', '', ''])
      expect(events.at(-1)!.type).to.equal('response.completed')
    }))

  it('name their events under /v1, and end with the last', () =>
    serve(async (server) => {
      played.steps = [saying('Hello', ' world')]
      const { lines, events } = await read(await ask(server, '/v1/responses', { stream: true }))
      const names = lines.filter((line) => line.startsWith('event: '))
      expect(names).to.deep.equal(events.map(({ type }) => `event: ${type}`))
      expect(lines.join()).not.to.contain('[DONE]')
    }))

  it('tell the calls of both kinds, and hand the caller’s over', () =>
    serve(async (server) => {
      played.steps = [
        [
          { delta: 'I call.' },
          { toolCall: { index: 0, id: 'a', name: 'mine', arguments: '{' } },
          { toolCall: { index: 1, id: 'b', name: 'weather', arguments: '{"city":"Ulm"}' } },
          { toolCall: { index: 0, arguments: '}' } },
          { finish: 'tool_calls', usage },
        ],
      ]
      const { events } = await read(await ask(server, '/responses', { stream: true }))
      const { output } = events.at(-1)!.response!
      expect(output.map(({ type }) => type)).to.deep.equal(['message', 'function_call', 'mcp_call'])
      expect(output[1]).to.include({ call_id: 'a', arguments: '{}', status: 'completed' })
      expect(output[2]).to.include({ output: 'sunny in Ulm', status: 'completed' })
    }))

  it('fail with an event and an error, and without an end', () =>
    serve(async (server) => {
      played.steps = [[{ delta: 'A sentence. ' }, { finish: 'unknown' as 'stop' }]]
      const { lines, events } = await read(await ask(server, '/responses', { stream: true }))
      expect(events.at(-2)!.type).to.equal('response.failed')
      expect(events.at(-2)!.response).to.have.nested.property('error.code', 'server_error')
      expect(events.at(-1))
        .to.have.property('error')
        .that.matches(/gave an invalid result/)
      expect(lines.join()).not.to.contain('[DONE]')
      const whole = await ask(server, '/responses')
      expect(whole.status).to.equal(500)
    }))

  it('end with the event of the failure under /v1, with the receipt', () =>
    serve(async (server) => {
      played.steps = [[{ delta: 'A sentence. ' }, { finish: 'unknown' as 'stop' }]]
      const headers = { 'x-safeguards-receipt': 'true' }
      const body = { model: 'changing', input: 'hi', stream: true }
      const { lines, events } = await read(await server.post('/v1/responses', body, headers))
      const names = lines.filter((line) => line.startsWith('event: '))
      expect(names).to.deep.equal(events.map(({ type }) => `event: ${type}`))
      expect(events.at(-1)!.type).to.equal('response.failed')
      expect(events.at(-1)).to.have.property('safeguards').that.deep.equals([])
    }))

  it('equal what is not streamed, however it comes, and their events tell the same', async function () {
    this.timeout(120_000)
    const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', '🙂', '.'), maxLength: 12 })
    const call = fc.constantFrom('weather', 'mayor', 'mine')
    const step = fc.record({ thought: words, said: words, call: fc.option(call) })
    await serve(async (server) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 3 }),
          fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
          fc.constantFrom('/responses', '/v1/responses'),
          async (script, sizes, path) => {
            played.steps = [...script, { thought: '', said: 'end', call: null }].map(
              ({ thought, said, call: name }) => [
                ...cut(thought, sizes).map((reasoning) => ({ reasoning })),
                ...cut(said, sizes).map((delta) => ({ delta })),
                ...(name ? callingTool(name, ...cut('{"city":"Ulm"}', sizes)) : saying()),
              ],
            )
            const whole: unknown = await (await ask(server, path)).json()
            const { events } = await read(await ask(server, path, { stream: true }))
            const last = events.at(-1)!.response!
            expect(comparable(last)).to.deep.equal(comparable(whole))
            expect(events.map(({ sequence_number: number }) => number)).to.deep.equal(events.map((_, at) => at))
            for (const [index, item] of last.output.entries()) expectTold(events, index, item)
          },
        ),
        { numRuns: 60 },
      )
    })
  })
})

/** An item is added, then told about, then done as it stands in the response. */
const expectTold = (events: readonly Event[], index: number, item: { readonly id: string; readonly type: string }) => {
  const about = events.filter((event) => event.output_index === index)
  expect(about[0]!.type).to.equal('response.output_item.added')
  expect(about.at(-1)).to.deep.include({ type: 'response.output_item.done', item })
  expect(about.every((event) => (event.item_id ?? event.item?.id) === item.id)).to.equal(true)
  const deltas = about.map(({ delta = '' }) => delta).join('')
  const done = about.find(({ type }) => /(?:text|arguments)\.done$/.test(type))!
  expect(deltas).to.equal(done.text ?? done.arguments)
}
