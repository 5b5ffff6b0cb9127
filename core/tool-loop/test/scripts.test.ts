/** Whatever models and tools do, events come in order and the conversation stays one. */

import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatMessage } from '@sallyport/core'
import type { ToolLoopEvent } from '../src/events.js'
import { collected, endOf, eventsOf, loopOf, scriptedChat, scriptedServer } from './scripted.js'
import type { Run, ScriptedStep } from './scripted.js'

const step: fc.Arbitrary<ScriptedStep> = fc.record(
  {
    text: fc.string({ maxLength: 5 }),
    calls: fc.array(
      fc.record({
        name: fc.constantFrom('good', 'bad', 'slow', 'mine', 'invented'),
        arguments: fc.constantFrom('{}', '{"a":1}', '{"a":2}', '[]', '{', ''),
        id: fc.constantFrom('a', 'b', 'c'),
      }),
      { maxLength: 4 },
    ),
    finish: fc.constantFrom('stop', 'tool_calls', 'length', 'content_filter'),
    tokens: fc.nat(20),
  },
  { requiredKeys: [] },
)

const runs: Record<string, Run> = {
  good: () => Promise.resolve({ output: 'fine' }),
  bad: () => Promise.reject(new Error('broken')),
  slow: async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { output: 'late', error: true }
  },
}

/** Each call has one answer, behind it and before the model speaks again; calls of the caller's functions have none. */
const expectConversation = (messages: readonly ChatMessage[], pending: readonly string[]): void => {
  const open = new Set<string>()
  for (const { role, toolCalls = [], toolCallId } of messages) {
    if (role === 'tool') expect(open.delete(toolCallId ?? ''), 'an answer to no call').to.equal(true)
    else {
      expect([...open], 'calls without an answer').to.deep.equal([])
      for (const { id } of toolCalls) {
        expect(open.has(id), 'two calls with one id').to.equal(false)
        open.add(id)
      }
    }
  }
  expect([...open]).to.have.members(pending)
}

const expectOrder = (events: readonly ToolLoopEvent[]): void => {
  const open = new Set<string>()
  let latest = 0
  for (const event of events) {
    if (event.type === 'end') expect([...open]).to.deep.equal([])
    else {
      expect(event.step).to.be.at.least(latest)
      latest = event.step
    }
    if (event.type === 'chunk') expect([...open], 'the model speaks while its tools run').to.deep.equal([])
    if (event.type === 'call_begun') open.add(event.call.id)
    if (event.type === 'call_ended') expect(open.delete(event.call.id)).to.equal(true)
  }
}

const run = async (steps: readonly ScriptedStep[], limits: { steps: number; calls: number }, maxTokens?: number) => {
  const { server, load } = scriptedServer(runs)
  const { chat, running } = scriptedChat(steps)
  const messages = [{ role: 'user' as const, content: 'go' }]
  const request = { messages, ...(maxTokens === undefined ? {} : { maxTokens }) }
  const events = await collected(loopOf(chat, { functions: ['mine'], servers: [server], limits, request }))
  expect([running(), load.now]).to.deep.equal([0, 0])
  return events
}

describe('any script of a tool loop', () => {
  it('keeps the order of events and a sound conversation', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.record({ steps: fc.integer({ min: 1, max: 8 }), calls: fc.nat(5) }),
        fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        async (steps, limits, maxTokens) => {
          const events = await run(steps, limits, maxTokens)
          expectOrder(events)
          const { end, messages } = endOf(events)
          expectConversation(messages, end.reason === 'functions' ? end.functions.map(({ id }) => id) : [])
          const last = Math.max(0, ...events.flatMap((event) => ('step' in event ? event.step : [])))
          expect(last).to.be.below(limits.steps)
        },
      ),
      { numRuns: 300 },
    ))
})

describe('a hundred tool loops at once', () => {
  it('are none mixed up', async () => {
    const loops = Array.from({ length: 100 }, async (_, number) => {
      const echo: Run = async ({ arguments: given }) => {
        await new Promise((resolve) => setTimeout(resolve, number % 7))
        return { output: `${number}:${(given as { a: number }).a}` }
      }
      const { server } = scriptedServer({ echo })
      const asked = [0, 1, 2].map((at) => ({
        text: `loop ${number}`,
        calls: [0, 1].map((call) => ({ name: 'echo', arguments: `{"a":${at * 2 + call}}` })),
      }))
      const { chat } = scriptedChat([...asked, { text: `end ${number}` }])
      const events = await collected(loopOf(chat, { servers: [server] }))
      const outputs = endOf(events).messages.filter(({ role }) => role === 'tool')
      expect(outputs.map(({ content }) => content)).to.deep.equal([0, 1, 2, 3, 4, 5].map((at) => `${number}:${at}`))
      expect(endOf(events).messages.at(-1)!.content).to.equal(`end ${number}`)
      expect(eventsOf(events, 'call_ended')).to.have.length(6)
    })
    await Promise.all(loops)
  })
})
