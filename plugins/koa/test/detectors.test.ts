/** Detectors that fail, on their own routes and in the chain. */

import { failure } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { serverFor, sharedServer, startServer, withServer } from './support/server.js'
import type { TestServer } from './support/server.js'

const canary = 'canary-4111111111111111'

const detectors = (inspect: (request: { text: string }) => Promise<unknown>): TestModel[] => [
  speaker,
  ...['injection', 'toxicity', 'factuality'].map((name) => ({ id: name, services: { [name]: { inspect } } })),
  { id: 'pii', services: { pii: { inspect, replace: inspect } } },
]

const throwing = detectors(({ text }) => Promise.reject(new Error(`cannot parse ${text}\n    at ${text}`)))

const answerTo = async ({ post }: TestServer, path: string, body: object) => {
  const response = await post(path, body)
  return { status: response.status, text: await response.text() }
}

const asking = async (models: TestModel[], path: string, body: object) =>
  answerTo(await sharedServer(models), path, body)

const asked: [string, string, object][] = [
  ['injection', '/injection', { prompt: canary, detect: true }],
  ['toxicity', '/toxicity', { text: canary }],
  ['factuality', '/factuality', { text: canary, reference: 'r' }],
  ['pii', '/PII', { prompt: canary, replace: true }],
]

describe('the detector of personal information', () => {
  it('is told which types the caller ignores', async () => {
    const heard: object[] = []
    const models = detectors((request) => {
      heard.push(request)
      return Promise.resolve({ findings: [], score: 0, explanation: '', detector: 'test', latency: 0 })
    })
    await asking(models, '/PII', { prompt: 'x', replace: false, entity_list: ['url', 'PERSON'] })
    expect(heard).to.deep.equal([{ text: 'x', origin: 'user', ignore: ['URL', 'PERSON'] }])
  })
})

/** Two detectors of each check, each with a type of its own. */
describe('several detectors of the configuration', () => {
  const told = (id: string, type: string) => {
    const inspect = ({ text }: { text: string }) =>
      Promise.resolve({
        ...{ explanation: '', detector: id, latency: 0, score: text.includes(type) ? 1 : 0 },
        findings: text.includes(type) ? [{ type, start: 0, end: 1, score: 1 }] : [],
      })
    return { inspect }
  }
  const ids = ['one', 'two']
  const checks = ['injection', 'toxicity', 'factuality', 'pii']
  const models = [
    speaker,
    ...ids.flatMap((id) =>
      checks.map((check) => ({
        id: `${check}-${id}`,
        services: { [check]: { ...told(id, id.toUpperCase()), replace: () => Promise.reject(new Error('unasked')) } },
        ...(check === 'pii' && { entityTypes: [id.toUpperCase()] }),
      })),
    ),
  ]
  const entry = (check: string, more: object = {}) => ({
    [check]: { detectors: ids.map((id) => `${check}-${id}`), ...more },
  })
  const callerPolicy = {
    input: { ...entry('injection'), ...entry('pii') },
    output: { ...entry('pii'), ...entry('toxicity'), ...entry('factuality') },
  }

  const policies = { default: { input: entry('pii', { ignore: ['ONE', 'TWO'] }) } }
  const server = serverFor(() => testKernel(models, { callerPolicy, policies }))

  const scored = async (path: string, body: object) => {
    const { checks: [check] = [], error } = (await (await server.post(path, body)).json()) as {
      checks?: Record<string, unknown>[]
      error?: string
    }
    const { score, probability, pii_types_and_positions: findings } = check ?? {}
    return error ?? findings ?? (Number(probability ?? score) > 0.5 ? 'high' : 'low')
  }
  for (const [path, body, expected] of [
    ['/injection', { prompt: 'TWO', detect: true }, 'high'],
    ['/toxicity', { text: 'TWO' }, 'high'],
    ['/factuality', { text: 'TWO', reference: 'r' }, 'low'],
    ['/factuality', { text: 'so', reference: 'r' }, 'high'],
    ['/checks/toxicity', { prompt: 'TWO' }, 'high'],
    ['/PII', { prompt: 'TWO', replace: false }, [{ start: 0, end: 1, type: 'TWO', score: 0.999999 }]],
  ] as const)
    it(`are asked at ${path}: ${JSON.stringify(body)}`, async () => {
      expect(await scored(path, body)).to.deep.equal(expected)
    })

  it('may each have types that callers ignore, and no others are known', async () => {
    const ignoring = (type: string) => scored('/PII', { prompt: 'TWO', replace: false, entity_list: [type] })
    expect(await ignoring('TWO')).to.deep.equal([])
    expect(await ignoring('TWOO')).to.match(/is not an entity type: did you mean "TWO"/)
    const chat = async (type: string) => {
      const input = { pii: 'block', entity_list: [type] }
      const asked = { model: 'speaker', messages: 'TWO', input }
      return (await server.post('/chat/completions', asked)).text()
    }
    expect(await chat('TWO')).not.to.contain('is not an entity type')
    expect(await chat('TWOO')).to.contain('is not an entity type')
  })

  it('are those of a key that is limited to models, or none', async () => {
    const answer = async (allowed: string[]) => {
      const { key } = server.keys.create({ name: allowed.join('-'), models: allowed })
      const headers = { authorization: `Bearer ${key}` }
      return (await server.post('/toxicity', { text: 'TWO' }, headers)).text()
    }
    expect(await answer(['toxicity-one', 'toxicity-two'])).to.contain('"status":"success"')
    expect(await answer(['toxicity-one'])).to.contain('model not found: toxicity; available: toxicity-one')
  })
})

describe('a check that lacks its text', () => {
  const noOptions = 'input: this request takes no safeguard options'
  for (const [path, body, error] of [
    ['/toxicity', { input: 'x' }, `text: is required: give a string that is not empty; ${noOptions}`],
    ['/toxicity', { input: 'x', text: null }, `text: is required: give a string that is not empty; ${noOptions}`],
    ['/toxicity', { input: 'x', text: 'x' }, noOptions],
    ['/factuality', { input: 'x' }, `reference: is required: give a string that is not empty; ${noOptions}`],
    ['/injection', { input: 'x', detect: true }, /^prompt: is required: give .*; input: this request takes no/],
    ['/PII', { input: 'x', replace: true }, /^prompt: is required: give .*; input: this request takes no/],
    ['/v1/moderations', { text: 'x' }, /^input: is required: give /],
  ] as const)
    it(`is told of that before anything else: ${path} ${JSON.stringify(body)}`, async () => {
      const { status, text } = await asking(throwing, path, body)
      expect(status).to.equal(400)
      const told = JSON.parse(text) as { error: string | { message: string } }
      const message = typeof told.error === 'string' ? told.error : told.error.message
      if (typeof error === 'string') expect(message).to.equal(error)
      else expect(message).to.match(error)
    })
})

describe('a detector that fails', () => {
  for (const [name, path, body] of asked)
    it(`is an unavailable safeguard on ${path}`, async () => {
      const { status, text } = await asking(throwing, path, body)
      expect(status).to.equal(503)
      expect(JSON.parse(text)).to.deep.equal({ error: `safeguard unavailable: ${name}` })
    })

  it('is given up at the deadline where it never answers, and lets the server stop', async () => {
    const hung = detectors(() => new Promise(() => undefined))
    const kernel = await testKernel(hung, { limits: { deadline: 0.2 } })
    await withServer(kernel, {}, async ({ post }) => {
      expect((await post('/toxicity', { text: 'x' })).status).to.equal(504)
      await kernel.drain(new AbortController().signal)
    })
  })

  const unsound: [string, object][] = [
    ['a score that is no number', { score: NaN }],
    ['a score beyond one', { score: 7 }],
    ['a span outside the text', { findings: [{ type: 'X', start: 0, end: 999, score: 1 }] }],
    ['a span within a character', { findings: [{ type: 'X', start: 0, end: 1.5, score: 1 }] }],
    ['no findings', { findings: undefined }],
  ]
  for (const [name, change] of unsound)
    it(`has failed where it answers with ${name}`, async () => {
      const sound = { findings: [], score: 0, explanation: '', detector: 'test', latency: 0 }
      const models = detectors(() => Promise.resolve({ ...sound, ...change }))
      for (const [detector, path, body] of asked) {
        const { status, text } = await asking(models, path, body)
        expect([status, text]).to.deep.equal([503, `{"error":"safeguard unavailable: ${detector}"}`])
      }
    })

  it('has failed where it answers without a replacement', async () => {
    const findings = [{ type: 'X', start: 0, end: 1, score: 1 }]
    const sound = { findings, score: 1, explanation: '', detector: 'test', latency: 0 }
    const models = detectors(() => Promise.resolve(sound))
    expect((await asking(models, '/PII', { prompt: 'x', replace: true })).status).to.equal(503)
    expect((await asking(models, '/PII', { prompt: 'x', replace: false })).status).to.equal(200)
  })

  it('says itself what clients may hear', async () => {
    const busy = detectors(() => Promise.reject(failure('overloaded', {})))
    expect((await asking(busy, '/toxicity', { text: 'x' })).status).to.equal(429)
  })

  const checked = { model: 'speaker', messages: canary, input: { block_prompt_injection: true } }
  for (const [name, path, body] of [...asked, ['the chain', '/chat/completions', checked] as const])
    it(`leaves no text in the log: ${name}`, async () => {
      const { lines, logger } = recordingLogger()
      const server = await startServer(await testKernel(throwing, { logger }), {}, logger)
      expect((await answerTo(server, path, body)).status).to.equal(503)
      await server.stop()
      const shown = lines.filter(({ level }) => level !== 'debug')
      expect(JSON.stringify(shown)).not.to.contain('canary')
      const traces = shown.flatMap(({ fields }) => (fields['error'] as { frames: string[] } | undefined) ?? [])
      expect(traces.length).to.be.above(0)
      for (const { frames } of traces) expect(frames[0]).to.match(/^at .*detectors\.test/)
    })
})
