/** Choices, reasoning, tool calls and log-probabilities of one stream. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { transcription } from '@sallyport/core'
import type { ChatChunk, TranscriptionCapability, Verdict } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, enforce, finder } from '../support.js'
import { checks, deltas, detectors, guarded, hear, listen, pii, reply, request, sentence } from './streams.js'
import type { Detectors } from './streams.js'

describe('the texts of a guarded stream', () => {
  it('lets one choice go on while another one waits', async () => {
    const chunk = (choice: number, delta: string): ChatChunk => ({ choice, delta })
    const chunks = [
      chunk(0, 'A'),
      chunk(1, `${sentence}And`),
      chunk(0, ' long story'),
      chunk(1, ' 1234'),
      chunk(0, ' of 1234'),
    ]
    const { chunks: heard } = await listen(guarded(reply(chunks)))
    const said = (of: number) =>
      heard.map((chunk) => ('delta' in chunk && (chunk.choice ?? 0) === of ? chunk.delta : '')).join('')
    expect([said(0), said(1)]).to.deep.equal(['A long story of <SECRET>', `${sentence}And <SECRET>`])
    expect(heard.findIndex((chunk) => chunk.choice === 1)).to.be.below(heard.findIndex((chunk) => chunk.choice === 0))
  })

  it('keeps the order of reasoning and answer, and checks both', async () => {
    const chunks: ChatChunk[] = [
      { reasoning: 'The user wants 12' },
      { reasoning: '34, so' },
      { delta: 'It is 12' },
      { delta: '34' },
    ]
    const { chunks: heard } = await listen(guarded(reply(chunks)))
    expect(
      heard.filter(
        (chunk) => !('delta' in chunk && chunk.delta === '') && !('reasoning' in chunk && chunk.reasoning === ''),
      ),
    ).to.deep.equal([
      { reasoning: 'The user wants <SECRET>,' },
      { reasoning: ' so' },
      { delta: 'It is <SECRET>' },
      { finish: 'stop' },
    ])
  })

  it('lets reasoning go when the answer begins, but not what could still grow', async () => {
    let heardReasoning = false
    const chunks = async function* (): AsyncGenerator<ChatChunk> {
      yield { reasoning: 'hm' }
      yield { delta: 'Well' }
      await sleep(50)
      expect(heardReasoning).to.equal(true)
    }
    for await (const chunk of guarded(reply(chunks())).stream(request, testCall()))
      heardReasoning ||= 'reasoning' in chunk
    const growing: ChatChunk[] = [{ delta: 'so 12' }, { reasoning: 'x' }, { delta: '34' }, { reasoning: 'y' }]
    expect((await listen(guarded(reply(growing)))).said).to.equal('so <SECRET>')
  })

  it('holds the arguments of a tool call, and leaves them JSON', async () => {
    const toolCall = (text: string): ChatChunk => ({ toolCall: { index: 0, name: 'pay', arguments: text } })
    const chunks = [toolCall('{"pin": 12'), toolCall('34, "to": "x. '), toolCall('Y"}')]
    const { chunks: heard } = await listen(guarded(reply(chunks)))
    const text = heard.map((chunk) => ('toolCall' in chunk ? chunk.toolCall.arguments : '')).join('')
    expect(JSON.parse(text) as unknown).to.deep.equal({ pin: '<SECRET>', to: 'x. Y' })
  })

  it('checks what stands for the id of a tool call and is none', async () => {
    const toolCall = (id: string): ChatChunk => ({ toolCall: { index: 0, id, name: 'pay', arguments: '{}' } })
    const { chunks } = await listen(guarded(reply([toolCall('call_12'), toolCall('it is 1234')])))
    const ids = chunks.flatMap((chunk) => ('toolCall' in chunk ? [chunk.toolCall.id] : []))
    expect(ids[0]).to.match(/^[a-z\d]{9}$/)
    expect(ids[1]).to.equal('it is <SECRET>')
  })

  it('shows a name that means nothing for the id of a tool call that could say something', async () => {
    const said = ['jane.miller', '4111111111111111', 'jane.miller']
    const calls = said.map((id, index): ChatChunk => ({ toolCall: { index, id, name: 'pay', arguments: '{}' } }))
    const idsOf = (chunks: ChatChunk[]) => chunks.flatMap((chunk) => ('toolCall' in chunk ? [chunk.toolCall.id] : []))
    const [jane, card, again] = idsOf((await listen(guarded(reply(calls)))).chunks)
    expect(jane).to.match(/^[a-z\d]{9}$/)
    expect(card)
      .to.match(/^[a-z\d]{9}$/)
      .and.not.equal(jane)
    expect(again).to.equal(jane)
    const shadow = { toxicity: { ...enforce, mode: 'shadow' } } as const
    expect(idsOf((await listen(guarded(reply(calls), shadow))).chunks)).to.deep.equal(said)
  })

  it('joins chunks whatever numbers the backend puts beside them', async () => {
    const chunks = ['so 12', '34', ' it is'].map((delta, at) => ({ delta, at: at + 1 }))
    expect((await listen(guarded(reply(chunks)))).said).to.equal('so <SECRET> it is')
  })

  const words = (...texts: string[]) => texts.map((text) => ({ text, start: 0, end: 1 }))
  const transcripts: { name: string; words: string[]; kept: boolean }[] = [
    { name: 'keeps words that make up the segment', words: ['Hello', ' to', ' you.'], kept: true },
    { name: 'drops words that the segment does not have', words: ['my', ' 1234'], kept: false },
    { name: 'drops words that stand there in another order', words: [' you.', ' to', 'Hello'], kept: false },
  ]
  for (const { name, words: said, kept } of transcripts)
    it(name, async () => {
      const segment = { text: 'Hello to you.', start: 0, end: 1, words: words(...said) }
      const service: TranscriptionCapability = {
        async *stream() {
          yield await Promise.resolve({ segment })
        },
      }
      const context = {
        policy: { output: checks },
        detectors: { ...detectors },
      }
      for await (const chunk of guard(transcription, service, context).stream({ file: 'a' }, testCall()))
        expect('segment' in chunk && chunk.segment.words !== undefined).to.equal(kept)
    })

  it('leaves segments of a transcript as they came where nothing is found', async () => {
    const segments = [
      { text: ' It rains a lot here. Does it rain there, too?', start: 0, end: 4 },
      { text: ' It does', start: 4, end: 6 },
      { text: ', they say. Well then.', start: 6, end: 9 },
    ]
    const service: TranscriptionCapability = {
      async *stream() {
        for (const segment of segments) yield await Promise.resolve({ segment })
      },
    }
    const policy = { output: { toxicity: enforce } }
    const context = { policy, detectors: { ...detectors } }
    const heard = []
    for await (const chunk of guard(transcription, service, context).stream({ file: 'a' }, testCall()))
      heard.push(chunk)
    expect(heard).to.deep.equal(segments.map((segment) => ({ segment })))
  })

  it('drops log-probabilities of replaced text only', async () => {
    const chunk = (delta: string): ChatChunk => ({ delta, logprobs: [{ token: delta, logprob: -1 }] })
    const { chunks } = await listen(guarded(reply([chunk(sentence), chunk('So 12'), chunk('34')])))
    const kept = chunks.flatMap((one) => ('logprobs' in one ? (one.logprobs ?? []) : []))
    expect(kept).to.deep.equal([{ token: sentence, logprob: -1 }])
  })

  it('drops log-probabilities of tokens that the text does not have', async () => {
    const logprobs = (token: string) => [{ token, logprob: -1 }]
    const chunks = [
      { delta: sentence, logprobs: logprobs('my pin is 12') },
      { delta: '', logprobs: logprobs('34') },
      { delta: 'Well.', logprobs: logprobs('Well.') },
    ]
    const { chunks: heard } = await listen(guarded(reply(chunks)))
    const kept = heard.flatMap((one) => ('logprobs' in one ? (one.logprobs ?? []) : []))
    expect(kept).to.deep.equal(logprobs('Well.'))
  })

  it('reports each check once', async () => {
    const verdicts: Verdict[] = []
    await listen(
      guarded(reply(deltas([sentence, 'So 1234. ', 'Then it was dark again.'])), checks, detectors, verdicts),
    )
    expect(verdicts.map(({ check, verdict }) => [check, verdict])).to.deep.equal([
      ['pii', 'replace'],
      ['toxicity', 'pass'],
    ])
  })

  it('leaves other streams alone when their shared detector fails for one', async () => {
    const shared: Detectors = {
      pii,
      toxicity: {
        inspect: (inspected, inner) =>
          inspected.text.includes('boom')
            ? Promise.reject(new Error('crash'))
            : finder('x', 'y').inspect(inspected, inner),
      },
    }
    const many = Array.from({ length: 20 }, (_, index) =>
      hear([sentence, index === 7 ? 'boom' : 'fine'], { toxicity: enforce }, shared),
    )
    const errors = (await Promise.all(many)).map(({ error }) => error)
    expect(errors.filter(Boolean)).to.deep.equal(['safeguard unavailable: toxicity'])
    expect(errors[7]).to.equal('safeguard unavailable: toxicity')
  })
})
