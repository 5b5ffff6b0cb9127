import { expect } from 'chai'
import { failure } from '@sallyport/core'
import { ToolOffer } from '../src/offer.js'
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

const failing =
  (error: Error): Run =>
  () =>
    Promise.reject(error)

interface FaultCase {
  readonly what: string
  readonly run?: Run
  readonly step?: ScriptedStep
  readonly limits?: Partial<ToolLoopLimits>
  /** What the model reads. */
  readonly told: string
  readonly made?: number
}

const secret = 'ECONNREFUSED 10.0.0.7'

const cases: readonly FaultCase[] = [
  {
    what: 'a failure of the tool',
    run: () => Promise.resolve({ output: 'no such city', error: true }),
    told: 'no such city',
  },
  {
    what: 'a server that fails',
    run: failing(failure('upstream_failed', { model: 'mcp', problem: secret })),
    told: 'the server of the tool failed',
  },
  { what: 'an unforeseen failure', run: failing(new TypeError(secret)), told: 'the server of the tool failed' },
  {
    what: 'a tool that has changed',
    run: failing(failure('unsupported', { problem: secret })),
    told: 'the tool is not available any more',
  },
  {
    what: 'a result with an attack',
    run: failing(failure('content_blocked', { message: 'prompt injection detected' })),
    told: 'the call was stopped by a safeguard: what was sent or returned is withheld',
  },
  {
    what: 'a safeguard that is missing',
    run: failing(failure('safeguard_unavailable', { name: 'injection' })),
    told: 'the call could not be checked: what was returned is withheld',
  },
  {
    what: 'a tool that hangs',
    run: hanging,
    limits: { callTime: 20 },
    told: 'the tool did not answer within 0.02 seconds',
  },
  {
    what: 'a tool that hangs and listens to nothing',
    run: () => new Promise(() => undefined),
    limits: { callTime: 20 },
    told: 'the tool did not answer within 0.02 seconds',
  },
  ...['{"a":', '[1]', '"x"', 'null', '1', '['.repeat(100_000)].map((given) => ({
    what: `arguments that are ${given.slice(0, 6)}`,
    step: { calls: [{ name: 'add', arguments: given }] },
    told: 'the arguments are not a JSON object: the tool was not called',
    made: 0,
  })),
  { what: 'a tool that is not offered', step: calling('rm'), told: 'there is no tool rm among those offered', made: 0 },
  {
    what: 'a long result',
    run: answering('é'.repeat(100)),
    limits: { resultBytes: 85 },
    // the note takes 34 bytes where all numbers are as long as the largest
    told: `${'é'.repeat(25)}\n[cut: the first 50 of 200 bytes]`,
  },
  {
    what: 'a long result where there is no room for more than what is said of it',
    run: answering('é'.repeat(100)),
    limits: { resultBytes: 10 },
    told: '\n[cut: the',
  },
  {
    what: 'a result that is too much together with others',
    run: answering('x'.repeat(100)),
    limits: { allResultBytes: 99 },
    told: 'withheld: the limit of 99 bytes for the results of all calls is reached',
  },
  {
    what: 'a result that just fits',
    run: answering('é'.repeat(100)),
    limits: { resultBytes: 200 },
    told: 'é'.repeat(100),
  },
]

describe('faults of tools', () => {
  for (const { what, run = answering('3'), step = calling('add'), limits = {}, told, made = 1 } of cases)
    it(`are told to the model, and the conversation goes on: ${what}`, async () => {
      const { server, calls, load } = scriptedServer({ add: run })
      const { chat, requests } = scriptedChat([step, { text: 'done' }])
      const events = await collected(loopOf(chat, { servers: [server], limits }))
      expect(requests[1]!.messages.at(-1)).to.deep.include({ role: 'tool', content: told })
      expect(endOf(events).end).to.deep.equal({ reason: 'answered' })
      expect(calls).to.have.length(made)
      const [ended] = eventsOf(events, 'call_ended')
      expect(ended!.outcome.output).to.equal(told)
      expect(ended!.duration).to.be.at.least(0)
      if (what.endsWith('listens to nothing')) expect(load.now).to.equal(1)
    })

  it('take no arguments for an empty object', async () => {
    const { server, calls } = scriptedServer({ add: answering('3') })
    const { chat } = scriptedChat([{ calls: [{ name: 'add', arguments: '' }] }, { text: 'done' }])
    await collected(loopOf(chat, { servers: [server] }))
    expect(calls[0]!.arguments).to.deep.equal({})
  })

  it('refuse what is listed but not allowed', async () => {
    const { server, calls } = scriptedServer({ add: answering('3'), rm: answering('gone') })
    const { chat, requests } = scriptedChat([calling('rm'), { text: 'done' }])
    await collected(loopOf(chat, { servers: [{ ...server, allowed: ['add'] }] }))
    expect(requests[0]!.tools!.map(({ name }) => name)).to.deep.equal(['add'])
    expect(requests[1]!.messages.at(-1)!.content).to.equal('there is no tool rm among those offered')
    expect(calls).to.be.empty
  })

  for (const error of [
    failure('content_blocked', { message: 'pii detected' }),
    failure('context_exceeded', { tokens: 9, limit: 8 }),
    failure('invalid_output', { place: 'choice 0', problem: 'is not JSON' }),
    new Error('broken'),
  ])
    it(`of the model are thrown: ${error.message}`, async () => {
      const { chat } = scriptedChat([{ error }])
      const thrown = await collected(loopOf(chat, {})).catch((reason: unknown) => reason)
      expect(thrown).to.equal(error)
    })
})

describe('a safeguard', () => {
  it('ends a tool loop with its error behind calls, too', async () => {
    const { server } = scriptedServer({ add: answering('3') })
    const error = failure('content_blocked', { message: 'pii detected' })
    const { chat } = scriptedChat([calling('add'), { error }])
    const thrown = await collected(loopOf(chat, { servers: [server] })).catch((reason: unknown) => reason)
    expect(thrown).to.equal(error)
  })
})

describe('a tool loop that is given up', () => {
  for (const [where, step] of [
    ['in a call', calling('add')],
    ['in an answer', { text: 'on and on' }],
  ] as const)
    it(`ends at once ${where}, and leaves nothing running`, async () => {
      const { server, load } = scriptedServer({ add: hanging })
      const { chat, running } = scriptedChat([step])
      const caller = new AbortController()
      const loop = loopOf(chat, { servers: [server] }, { signal: caller.signal })
      const reason = new Error('the caller has gone')
      const thrown = await (async () => {
        for await (const { type } of loop) if (type === 'call_begun' || type === 'chunk') caller.abort(reason)
        return undefined
      })().catch((error: unknown) => error)
      expect(thrown).to.equal(reason)
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect([running(), load.now]).to.deep.equal([0, 0])
    })

  it('aborts its calls when nobody reads it any more', async () => {
    const { server, load } = scriptedServer({ add: hanging })
    const { chat } = scriptedChat([calling('add')])
    for await (const { type } of loopOf(chat, { servers: [server] })) if (type === 'call_begun') break
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(load.now).to.equal(0)
  })
})

describe('the names of tools', () => {
  const namesOf = (functions: string[], servers: Record<string, string[]>) =>
    new ToolOffer(
      functions.map((name) => ({ name })),
      Object.entries(servers).map(([label, tools]) => ({
        ...scriptedServer({}, label).server,
        server: { label, tools: tools.map((name) => ({ name, parameters: {} })) },
      })),
    ).tools.map(({ name }) => name)

  for (const [what, functions, servers, names] of [
    ['alone', [], { a: ['add'] }, ['add']],
    ['of two servers', [], { a: ['add'], b: ['add', 'sub'] }, ['sub', 'a__add', 'b__add']],
    ['beside a function', ['add'], { a: ['add'] }, ['add', 'a__add']],
    ['that models do not take', [], { a: ['files.read', 'öl'] }, ['a__files_read', 'a___l']],
    ['that become equal', [], { a: ['x.y', 'x/y'] }, ['a__x_y', 'a__x_y_2']],
    ['like one that was made', ['a__add', 'add'], { a: ['add'] }, ['a__add', 'add', 'a__add_2']],
    ['that are long', [], { a: ['x'.repeat(70)] }, [`a__${'x'.repeat(61)}`]],
  ] as const)
    it(`are unique, and taken by every model: ${what}`, () => {
      expect(namesOf([...functions], servers as unknown as Record<string, string[]>)).to.deep.equal(names)
    })
})
