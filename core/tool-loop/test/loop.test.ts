import { expect } from 'chai'
import { failure } from '@sallyport/core'
import type { LoopEnd } from '../src/events.js'
import type { ToolLoopLimits } from '../src/limits.js'
import {
  answering,
  calling,
  collected,
  endOf,
  eventsOf,
  hanging,
  loopOf,
  scriptedChat,
  scriptedServer,
} from './scripted.js'
import type { Run, ScriptedStep } from './scripted.js'

const add = answering('3')

describe('the tool loop', () => {
  it('asks again with what the model said and what its tools returned, and sums the usage', async () => {
    const { server, calls } = scriptedServer({ add })
    const steps = [{ text: 'Let me see.', calls: [{ name: 'add', arguments: '{"a":1}' }] }, { text: 'It is 3.' }]
    const { chat, requests } = scriptedChat(steps)
    const events = await collected(loopOf(chat, { servers: [server] }))
    expect(calls).to.deep.equal([{ server: 'server', name: 'add', arguments: { a: 1 } }])
    const said = [
      { role: 'assistant', content: 'Let me see.', toolCalls: [{ id: 'call_0', name: 'add', arguments: '{"a":1}' }] },
      { role: 'tool', content: '3', toolCallId: 'call_0' },
    ]
    expect(requests[1]!.messages.slice(1)).to.deep.equal(said)
    const { end, usage, messages } = endOf(events)
    expect(end).to.deep.equal({ reason: 'answered' })
    expect(usage).to.deep.equal({ promptTokens: 20, cachedTokens: 4, completionTokens: 2, reasoningTokens: 0 })
    expect(messages).to.deep.equal([...said, { role: 'assistant', content: 'It is 3.' }])
    expect(events.map(({ type }) => type).join(' ')).to.match(/^(chunk )+call_begun call_ended (chunk )+end$/)
  })

  it('hands the caller’s functions over, with the pieces of their calls', async () => {
    const { chat } = scriptedChat([{ calls: [{ name: 'mine', arguments: '{"x":1}', id: 'a' }] }])
    const events = await collected(loopOf(chat, { functions: ['mine'] }))
    const call = { id: 'a', name: 'mine', arguments: '{"x":1}' }
    expect(endOf(events).end).to.deep.equal({ reason: 'functions', functions: [call] })
    const pieces = eventsOf(events, 'chunk').map(({ chunk }) => ('toolCall' in chunk ? chunk.toolCall.arguments : ''))
    expect(pieces.join('')).to.equal('{"x":1}')
  })

  it('runs the remote calls of a step that calls functions, too', async () => {
    const { server, calls } = scriptedServer({ add })
    const { chat } = scriptedChat([calling('add', 'mine')])
    const events = await collected(loopOf(chat, { functions: ['mine'], servers: [server] }))
    expect(calls).to.have.length(1)
    const { end, messages } = endOf(events)
    expect(end).to.have.property('reason', 'functions')
    expect(messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool'])
    expect(messages[0]!.toolCalls).to.have.length(2)
    const shown = eventsOf(events, 'chunk').flatMap(({ chunk }) => ('toolCall' in chunk ? [chunk.toolCall.name] : []))
    expect(shown.filter(Boolean)).to.deep.equal(['mine'])
  })

  it('hands every call over where there are no remote tools', async () => {
    const { chat } = scriptedChat([calling('invented')])
    expect(endOf(await collected(loopOf(chat, { functions: ['mine'] }))).end).to.have.property('reason', 'functions')
  })

  it('gives calls of later steps ids of their own', async () => {
    const { server } = scriptedServer({ add })
    const steps = [1, 2, 3].map((a) => ({ calls: [{ name: 'add', arguments: `{"a":${a}}` }] }))
    const { chat } = scriptedChat([...steps, { text: 'done' }])
    const { messages } = endOf(await collected(loopOf(chat, { servers: [server] })))
    const ids = messages.flatMap(({ toolCallId }) => toolCallId ?? [])
    expect(new Set(ids).size).to.equal(3)
    expect(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).to.deep.equal(ids)
  })

  it('forces a call once only', async () => {
    const { server } = scriptedServer({ add })
    const { chat, requests } = scriptedChat([calling('add'), { text: 'done' }])
    await collected(
      loopOf(chat, { servers: [server], request: { messages: [], toolChoice: 'required', parallelToolCalls: true } }),
    )
    expect(requests.map(({ toolChoice }) => toolChoice)).to.deep.equal(['required', 'auto'])
  })

  it('makes no calls where the choice is none', async () => {
    const { server, calls } = scriptedServer({ add })
    const { chat } = scriptedChat([{ text: 'no', calls: [{ name: 'add' }] }])
    const events = await collected(loopOf(chat, { servers: [server], request: { messages: [], toolChoice: 'none' } }))
    expect(calls).to.be.empty
    expect(endOf(events).end).to.deep.equal({ reason: 'answered' })
  })
})

interface LimitCase {
  readonly what: string
  readonly steps: readonly ScriptedStep[]
  readonly limits?: Partial<ToolLoopLimits>
  readonly maxTokens?: number
  readonly run?: Run
  readonly end: LoopEnd
  /** Calls that are made. */
  readonly made: number
  /** How often the model is asked. */
  readonly asked: number
}

const each = (count: number) => Array.from({ length: count }, (_, at) => ({ name: 'add', arguments: `{"a":${at}}` }))
const endless = Array.from({ length: 20 }, (_, at) => ({
  text: 'on',
  calls: [{ name: 'add', arguments: `{"a":${at}}` }],
}))
const incomplete = (limit: Extract<LoopEnd, { limit: unknown }>['limit']): LoopEnd => ({ reason: 'incomplete', limit })

const notAsked = failure('invalid_output', {
  place: 'choice 0, call 0',
  problem: 'is of a tool that may not be called',
})

const limitCases: readonly LimitCase[] = [
  { what: 'steps', steps: endless, end: incomplete('steps'), made: 15, asked: 16 },
  { what: 'fewer steps', steps: endless, limits: { steps: 3 }, end: incomplete('steps'), made: 2, asked: 3 },
  { what: 'one step', steps: endless, limits: { steps: 1 }, end: incomplete('steps'), made: 0, asked: 1 },
  {
    what: 'time',
    steps: [calling('add')],
    limits: { time: 40 },
    run: hanging,
    end: incomplete('time'),
    made: 1,
    asked: 1,
  },
  {
    what: 'tokens of the model',
    steps: [{ text: 'and so', finish: 'length' }],
    end: incomplete('tokens'),
    made: 0,
    asked: 1,
  },
  {
    what: 'calls that were cut off with the answer',
    steps: [{ calls: [{ name: 'add', arguments: '{"a' }], finish: 'length' }],
    end: incomplete('tokens'),
    made: 0,
    asked: 1,
  },
  {
    what: 'tokens over all steps',
    steps: endless.map((step) => ({ ...step, tokens: 4 })),
    maxTokens: 10,
    end: incomplete('tokens'),
    made: 2,
    asked: 3,
  },
  {
    what: 'calls, with an answer behind them',
    steps: [calling('add'), { text: 'done' }],
    limits: { calls: 1 },
    end: { reason: 'answered' },
    made: 1,
    asked: 2,
  },
  {
    what: 'calls, with more in one step',
    steps: [{ calls: each(5) }, { text: 'done' }],
    limits: { calls: 2 },
    end: { reason: 'answered' },
    made: 2,
    asked: 2,
  },
  {
    what: 'calls, with nothing said without them',
    steps: [calling('add')],
    limits: { calls: 1 },
    end: incomplete('calls'),
    made: 1,
    asked: 2,
  },
  {
    what: 'no calls at all',
    steps: [calling('add')],
    limits: { calls: 0 },
    end: incomplete('calls'),
    made: 0,
    asked: 1,
  },
  {
    what: 'calls, where none says how many',
    steps: [{ calls: each(100) }, { text: 'done' }],
    end: { reason: 'answered' },
    made: 64,
    asked: 2,
  },
  {
    what: 'bytes of all results, with an answer behind them',
    steps: [{ calls: each(9) }, { text: 'done' }],
    limits: { allResultBytes: 3, callsAtOnce: 1 },
    end: { reason: 'answered' },
    made: 4,
    asked: 2,
  },
  {
    what: 'bytes of all results, in steps, with nothing said without more',
    steps: endless.map(({ calls }) => ({ calls })),
    limits: { allResultBytes: 2 },
    end: incomplete('calls'),
    made: 3,
    asked: 4,
  },
  { what: 'the same call', steps: [calling('add')], end: incomplete('repeated'), made: 2, asked: 3 },
  {
    what: 'the same call, written in another way',
    steps: [
      { calls: [{ name: 'add', arguments: '{"a":1,"b":[{"c":2,"d":3}]}' }] },
      { calls: [{ name: 'add', arguments: ' { "b": [ {"d":3,"c":2} ], "a": 1.0 }' }] },
    ],
    end: incomplete('repeated'),
    made: 2,
    asked: 3,
  },
  {
    what: 'the same call within a step',
    steps: [calling('add', 'add', 'add')],
    end: incomplete('repeated'),
    made: 2,
    asked: 1,
  },
  {
    what: 'what a filter stops',
    steps: [{ text: 'I', finish: 'content_filter' }],
    end: incomplete('content_filter'),
    made: 0,
    asked: 1,
  },
  {
    what: 'an answer that is not what was asked for, behind a call',
    steps: [calling('add'), { text: 'I', error: notAsked }],
    end: incomplete('invalid_output'),
    made: 1,
    asked: 2,
  },
  {
    what: 'a context that the results have filled',
    steps: [calling('add'), { error: failure('context_exceeded', { tokens: 9, limit: 8 }) }],
    end: incomplete('context'),
    made: 1,
    asked: 2,
  },
]

describe('the limits of a tool loop', () => {
  for (const { what, steps, limits = {}, maxTokens, run = add, ...expected } of limitCases)
    it(`end it in a defined state: ${what}`, async () => {
      const { server, calls, load } = scriptedServer({ add: run })
      const { chat, requests, running } = scriptedChat(steps)
      const messages = [{ role: 'user' as const, content: 'go' }]
      const request = { messages, ...(maxTokens === undefined ? {} : { maxTokens }) }
      const events = await collected(loopOf(chat, { servers: [server], limits, request }))
      expect(endOf(events).end).to.deep.equal(expected.end)
      expect(calls).to.have.length(expected.made)
      expect(requests).to.have.length(expected.asked)
      expect([running(), load.now]).to.deep.equal([0, 0])
    })

  it('leave each step what tokens are left', async () => {
    const { server } = scriptedServer({ add })
    const { chat, requests } = scriptedChat([{ ...calling('add'), tokens: 30 }, { text: 'done' }])
    await collected(loopOf(chat, { servers: [server], request: { messages: [], maxTokens: 100 } }))
    expect(requests.map(({ maxTokens }) => maxTokens)).to.deep.equal([100, 70])
  })

  for (const [parallelToolCalls, most] of [
    [undefined, 4],
    [true, 4],
    [false, 1],
  ] as const)
    it(`run ${most} calls at once where parallel calls are ${parallelToolCalls}`, async () => {
      const slow: Run = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return { output: 'x' }
      }
      const { server, load } = scriptedServer({ add: slow })
      const { chat } = scriptedChat([{ calls: each(9) }, { text: 'done' }])
      const request = { messages: [], ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }) }
      await collected(loopOf(chat, { servers: [server], request }))
      expect(load.most).to.equal(most)
    })

  it('put results in the order of the calls, however they come', async () => {
    const late: Run = async ({ arguments: given }) => {
      const { a } = given as { a: number }
      await new Promise((resolve) => setTimeout(resolve, (4 - a) * 4))
      return { output: String(a) }
    }
    const { server } = scriptedServer({ add: late })
    const { chat } = scriptedChat([{ calls: each(4) }, { text: 'done' }])
    const { messages } = endOf(await collected(loopOf(chat, { servers: [server] })))
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).to.deep.equal([
      '0',
      '1',
      '2',
      '3',
    ])
  })
})
