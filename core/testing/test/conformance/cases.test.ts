/** Services that a case must pass or fail beside those in which its fault is planted. */

import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat, failure, inference, scoreCheck, tokens, tools, transcription } from '@sallyport/core'
import type {
  Call,
  Capability,
  ChatCapability,
  ChatChunk,
  Detector,
  InferenceCapability,
  Tensor,
} from '@sallyport/core'
import { conformanceCases } from '../../src/index.js'
import type { ModelFacts } from '../../src/index.js'
import { references } from '../reference/references.js'
import { said } from './faults/streams.js'

/** Runs one case; resolves with the error that it rejects with. */
const errorOf = async <Service extends object>(
  capability: Capability<Service>,
  name: string,
  service: NoInfer<Service>,
  facts: ModelFacts = {},
): Promise<unknown> => {
  const found = conformanceCases(capability).find((one) => one.name === name)
  if (!found) throw new Error(`there is no case "${name}"`)
  return found.run(service, facts).then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a case whose service throws an error of its own', () => {
  const error = new TypeError('x is not a function')
  const sound = references.chat.create()
  const broken: ChatCapability = {
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
  }
  const brokenByBias: ChatCapability = {
    stream: (request, call) => (request.logitBias ? broken : sound).stream(request, call),
  }
  const names = [
    'a conversation is answered',
    'an image is taken by a model with vision',
    'every sampling parameter is taken',
    'a maxTokens beyond the context is no error',
    'the result of a tool is taken',
  ]
  for (const name of names)
    it(`fails with it: ${name}`, async () => {
      expect(await errorOf(chat, name, broken, references.chat.facts)).to.equal(error)
    })

  it('fails with it: a bias on a token outside the vocabulary is ignored', async () => {
    expect(await errorOf(chat, 'a bias on a token outside the vocabulary is ignored', brokenByBias)).to.equal(error)
  })

  it('fails with it: a tool’s own failure is an answer, not an exception', async () => {
    const call = () => Promise.reject(error)
    const service = { ...references.tools.create(), call }
    const name = 'a tool’s own failure is an answer, not an exception'
    expect(await errorOf(tools, name, service, references.tools.facts)).to.equal(error)
  })
})

describe('a case whose service hangs', () => {
  const names = {
    chat: [
      'a conversation is answered',
      'the same request gets the same answer',
      'an image is refused with unsupported by a model without vision',
    ],
    tokens: ['tokenize: the same request gets the same answer'],
  }
  const hour = 3_600_000
  let deadline = 0
  const hang = (call: Call): Promise<never> => {
    deadline = call.deadline
    return new Promise(() => undefined)
  }
  const services = {
    chat: (name: string) =>
      errorOf(chat, name, {
        stream: (_, call) => ({ [Symbol.asyncIterator]: () => ({ next: () => hang(call) }) }),
      }),
    tokens: (name: string) =>
      errorOf(tokens, name, { tokenize: (_, call) => hang(call), detokenize: (_, call) => hang(call) }),
  }
  for (const kind of ['chat', 'tokens'] as const)
    for (const name of names[kind])
      it(`is left to the limit of the test framework: ${kind}, ${name}`, async () => {
        const begin = Date.now()
        mock.timers.enable({ apis: ['setTimeout'] })
        let ended = false
        try {
          void services[kind](name).then(() => (ended = true))
          await nextTurn()
          mock.timers.tick(hour - 1)
          await nextTurn()
        } finally {
          mock.timers.reset()
        }
        expect(ended).to.equal(false)
        expect(deadline).to.be.at.least(begin + hour)
      })
})

describe('a stop sequence', () => {
  it('may come first though it is taken from the end of an answer that repeats itself', async () => {
    const prompts = ['tick tock tick tock tick tock', 'another'] as const
    const name = 'of several stop sequences the first to come ends the answer'
    expect(await errorOf(chat, name, references.chat.create(), { prompts })).to.equal(undefined)
  })
})

describe('the cases of a check that scores', () => {
  const detectorOf = (flagged: number, harmless: number): Detector => ({
    async inspect({ text }, call) {
      await nextTurn()
      call.signal.throwIfAborted()
      const score = text.includes('bad') ? flagged : harmless
      return { findings: [], score, explanation: 'by its words', detector: 'words/1', latency: 0 }
    },
  })
  const samples = { flagged: { text: 'This is bad.' }, harmless: { text: 'This is good.' } }
  const rows: [number, Detector][] = [
    [0.8, detectorOf(0.9, 0.6)],
    [0.3, detectorOf(0.4, 0.1)],
  ]
  for (const [threshold, detector] of rows)
    it(`take its threshold of ${threshold}, and need no findings`, async () => {
      const check = scoreCheck('mood', { stages: {}, order: 500, message: 'bad mood', threshold })
      for (const one of conformanceCases(check)) await one.run(detector, { samples })
    })
})

describe('of two calls in one answer', () => {
  const name = 'the id and the name come with the first chunk of a call, and ids are unique'
  const second = (change: object) =>
    said<object, ChatChunk>((chunk) => [
      chunk,
      ...('toolCall' in chunk ? [{ toolCall: { ...chunk.toolCall, index: 1, ...change } }] : []),
    ])
  const services = {
    'the second may not have the id of the first': second({}),
    'the second may not lack its name': said<object, ChatChunk>((chunk) =>
      'toolCall' in chunk && chunk.toolCall.id
        ? [chunk, { toolCall: { index: 1, id: `${chunk.toolCall.id}-2`, arguments: '{}' } }]
        : [chunk],
    ),
  }
  for (const [title, wrap] of Object.entries(services))
    it(title, async () => {
      expect(await errorOf(chat, name, wrap(references.chat.create()))).to.be.an('error')
    })
})

describe('a transcription without a language', () => {
  it('fails', async () => {
    const service = references.transcription.create()
    const name = 'segments come in order, then the language and the duration, once'
    const silentOnIt = said<object, object>((chunk) => ['duration' in chunk ? { duration: chunk.duration } : chunk])
    const error = await errorOf(transcription, name, silentOnIt(service as never) as never)
    expect(error).to.have.property('message', 'no language came')
  })
})

describe('a model whose only input is a scalar', () => {
  it('may refuse a negative size', async () => {
    const x: Tensor = { type: 'FP32', shape: [], data: new Uint8Array(4) }
    const run: InferenceCapability['run'] = ({ inputs }) =>
      inputs['x']?.shape.length === 0
        ? Promise.resolve({ outputs: { x } })
        : Promise.reject(failure('invalid_request', { problem: 'x has no dimensions' }))
    const service = { ...references.inference.create(), run }
    const name = 'a negative size is refused with invalid_request'
    expect(await errorOf(inference, name, service, { tensors: [{ x }, { x }] })).to.equal(undefined)
  })
})
