/** Values that are read together: what the chain makes of what is found in them. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { chat, completion } from '@sallyport/core'
import type { ChatChunk, ChatMessage, CompletionChunk, Inspection, SpanDetector } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { exchange, guard, inspection, piiFinder, replace as hurried, reply } from '../support.js'
import type { Policy } from '../support.js'
import { jsonValues } from '../../src/values/json-values.js'

/** Nothing here is about time, and a busy machine is slow. */
const replace = { ...hurried, budget: 10_000 }

/** Finds it in joined values, and what may go on is open. */
const across = (secret: string, asked: string[][] = []): SpanDetector => ({
  ...piiFinder(secret),
  openSpans: ({ text }) => Promise.resolve({ spans: [{ start: 0, end: text.endsWith('.') ? 0 : text.length }] }),
  replace: ({ text, findings }) => {
    const { start = 0, end = 0 } = findings[0] ?? {}
    return Promise.resolve({ text: `${text.slice(0, start)}<SECRET>${text.slice(end)}`, spans: [] })
  },
  inspectAcross: ({ values }) => {
    asked.push(values.map(({ text }) => text))
    const start = values
      .map(({ text }) => text)
      .join('')
      .indexOf(secret)
    const findings = start < 0 ? [] : [{ type: 'SECRET', start, end: start + secret.length, score: 1 }]
    return inspection({ findings, score: findings.length ? 1 : 0 })
  },
})

const user = (content: string): ChatMessage => ({ role: 'user', content })

const talk = async (policy: Partial<Policy>, pii: SpanDetector, messages: ChatMessage[], says: ChatChunk[] = []) => {
  const { asked, chunks, ...rest } = await exchange({ messages }, { policy, detectors: { pii } }, reply(says))
  return { ...rest, heard: asked?.messages ?? [], said: chunks }
}

describe('a detector that reads values together', () => {
  it('is told the options of its check', async () => {
    const given: unknown[] = []
    const detector = across('nothing')
    const pii: SpanDetector = {
      ...detector,
      inspectAcross: (request, call) => {
        given.push(request.options)
        return detector.inspectAcross!(request, call)
      },
    }
    const options = { allow: ['abcd'] }
    await talk({ input: { pii: { ...replace, options } } }, pii, [user('["ab","cd"]')])
    expect(given).to.deep.include(options)
  })

  const halves = [user('it is ab'), user('cd.')]

  it('is asked about neighbours, and its parts are replaced in each', async () => {
    const { heard, verdicts } = await talk({ input: { pii: replace } }, across('abcd'), halves)
    expect(heard.map(({ content }) => content)).to.deep.equal(['it is <SECRET>', '<SECRET>.'])
    expect(verdicts.filter(({ findings }) => findings)).to.have.length(1)
  })

  it('is asked about fields in the order in which they are declared', async () => {
    const reversed = { content: 'cd', reasoning: 'it is ab', role: 'assistant' } as const
    const { heard } = await talk({ input: { pii: replace } }, across('abcd'), [reversed])
    expect(heard).to.deep.equal([{ ...reversed, content: '<SECRET>', reasoning: 'it is <SECRET>' }])
  })

  for (const request of [
    { prompt: 'it is ab', suffix: 'cd' },
    { suffix: 'cd', prompt: 'it is ab' },
  ])
    it(`is asked about the prompt before the suffix of ${Object.keys(request).join(' and ')}`, async () => {
      let heard: unknown
      const backend = {
        async *stream(asked: unknown): AsyncGenerator<CompletionChunk> {
          heard = asked
          yield await Promise.resolve({ finish: 'stop' })
        },
      }
      const detectors = { pii: across('abcd') }
      const context = { policy: { input: { pii: replace } }, detectors }
      for await (const chunk of guard(completion, backend, context).stream(request, testCall())) expect(chunk).to.be.ok
      expect(heard).to.deep.equal({ prompt: 'it is <SECRET>', suffix: '<SECRET>' })
    })

  const faults: { name: string; answers: () => Promise<Inspection> }[] = [
    { name: 'fails', answers: () => Promise.reject(new Error('boom')) },
    {
      name: 'finds something beyond the values',
      answers: () => inspection({ findings: [{ type: 'SECRET', start: 0, end: 99, score: 1 }], score: 1 }),
    },
  ]
  for (const { name, answers } of faults)
    it(`blocks where it ${name}, unless failures pass`, async () => {
      const failing = { ...across('abcd'), inspectAcross: answers }
      expect((await talk({ input: { pii: replace } }, failing, halves)).error).to.equal('safeguard unavailable: pii')
      const open = { ...replace, onFailure: 'open' } as const
      expect((await talk({ input: { pii: open } }, failing, halves)).heard).to.deep.equal(halves)
    })

  it('is asked about values with marks of emphasis undone, and each keeps its part', async () => {
    const { heard } = await talk({ input: { pii: replace } }, across('123-\u200b45\u200b-6789'), [
      user('{"a":"123-*45*-","b":"6789"}'),
    ])
    expect(heard.map(({ content }) => content)).to.deep.equal(['{"a":"<SECRET>","b":"<SECRET>"}'])
  })

  it('tells no place of it, as there is none in what the caller sent', async () => {
    const { verdicts } = await talk({ input: { pii: replace } }, across('abcd'), [user('{"a":"ab","b":"cd"}')])
    expect(verdicts.filter(({ findings }) => findings)).to.have.length(1)
    for (const { spans } of verdicts) expect(spans).to.equal(undefined)
  })

  it('finds nothing across two columns', async () => {
    const rows = '[{"k":"x","l":"cd"},{"k":"ab","l":"y"}]'
    const anything = across('ab … cd')
    const { heard } = await talk({ input: { pii: replace } }, anything, [user(rows)])
    expect(heard).to.deep.equal([user(rows)])
  })

  it('replaces it in JSON that is a part of the text', async () => {
    const { heard } = await talk({ input: { pii: replace } }, across('abcd'), [user('So: {"a":"ab","b":"cd"}.')])
    expect(heard.map(({ content }) => content)).to.deep.equal(['So: {"a":"<SECRET>","b":"<SECRET>"}.'])
  })

  it('finds nothing of a type that is ignored', async () => {
    const { heard } = await talk({ input: { pii: { ...replace, ignore: ['SECRET'] } } }, across('abcd'), halves)
    expect(heard).to.deep.equal(halves)
  })

  describe('of more values than can be read', () => {
    const many = JSON.stringify(Array.from({ length: 65_537 }, () => 1))

    it('refuses the text, unless failures pass', async () => {
      expect((await talk({ input: { pii: replace } }, across('abcd'), [user(many)])).error).to.equal(
        'safeguard unavailable: pii',
      )
      const open = { ...replace, onFailure: 'open' } as const
      expect((await talk({ input: { pii: open } }, across('abcd'), [user(many)])).heard).to.deep.equal([user(many)])
    })

    it('gives others turns in between', async () => {
      let [turns, count] = [0, 0]
      const timer = setInterval(() => (turns += 1), 1)
      const values = jsonValues(`[${'1,'.repeat(300_000)}1]`, new Pacer(testCall()))
      for await (const { text } of values) count += text.length
      clearInterval(timer)
      expect(count).to.equal(300_001)
      expect(turns).to.be.above(0)
    })
  })

  it('is not asked about a text alone, nor one that does not know how', async () => {
    const asked: string[][] = []
    await talk({ input: { pii: replace } }, across('abcd', asked), [user('it is abcd.')])
    expect(asked).to.deep.equal([])
    const { heard } = await talk({ input: { pii: replace } }, piiFinder('abcd'), [user('ab'), user('x'), user('cd')])
    expect(heard.map(({ content }) => content)).to.deep.equal(['ab', 'x', 'cd'])
  })

  const answers: { name: string; says: ChatChunk[]; said: ChatChunk[] }[] = [
    {
      name: 'texts of each choice by themselves',
      says: [
        { choice: 0, reasoning: 'it is ab' },
        { choice: 1, reasoning: 'no' },
        { choice: 1, delta: 'cd.' },
        { choice: 0, delta: 'cd' },
      ],
      said: [
        { choice: 0, reasoning: 'it is <SECRET>' },
        { choice: 1, reasoning: 'no' },
        { choice: 1, delta: 'cd.' },
        { choice: 0, delta: '<SECRET>' },
      ],
    },
    {
      name: 'a text that goes on behind another',
      says: [{ reasoning: 'it is a' }, { delta: 'cd' }, { reasoning: 'b' }, { delta: '!' }],
      said: [{ reasoning: 'it is <SECRET>' }, { delta: '<SECRET>!' }, { reasoning: '' }, { delta: '' }],
    },
    {
      name: 'texts that take turns, as they came',
      says: [{ reasoning: 'Well.' }, { delta: 'So.' }, { reasoning: ' I say ab' }, { delta: 'cd' }, { reasoning: '!' }],
      said: [
        ...[{ reasoning: 'Well.' }, { delta: 'So.' }, { reasoning: ' I say <SECRET>!' }, { delta: '<SECRET>' }],
        { reasoning: '' },
      ],
    },
    {
      name: 'nothing across what is complete',
      says: [{ reasoning: 'it is ab.' }, { delta: 'cd' }],
      said: [{ reasoning: 'it is ab.' }, { delta: 'cd' }],
    },
  ]
  for (const { name, says, said } of answers)
    it(`reads of an answer ${name}`, async () => {
      const { said: heard } = await talk({ output: { pii: replace } }, across('abcd'), [user('hi')], says)
      expect(heard.filter((chunk) => !('finish' in chunk))).to.have.deep.members(said)
    })

  it('lets texts that take turns leave where nothing goes on in another', async () => {
    let said = ''
    const backend = {
      async *stream(): AsyncGenerator<ChatChunk> {
        for (const at of [0, 1]) {
          yield { reasoning: `This is the thought ${at} of all that there are.` }
          while (at && !said.includes(`answer ${at - 1}`)) await sleep(1)
          yield { delta: `This is the answer ${at} of all that there are.` }
        }
        yield { finish: 'stop' }
      },
    }
    const context = { policy: { output: { pii: replace } } }
    const guarded = guard(chat, backend, { ...context, detectors: { pii: across('abcd') } })
    for await (const chunk of guarded.stream({ messages: [user('hi')] }, testCall())) said += JSON.stringify(chunk)
  })

  it('lets nothing of an answer out that it blocks', async () => {
    const block = { ...replace, action: 'block' } as const
    const says: ChatChunk[] = [{ reasoning: 'One.' }, { reasoning: ' Then ab' }, { delta: 'cd' }]
    const { said, error } = await talk({ output: { pii: block } }, across('abcd'), [user('hi')], says)
    expect(error).to.equal('pii detected')
    expect(JSON.stringify(said)).to.not.match(/ab|cd/)
  })
})
