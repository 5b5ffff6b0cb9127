/** Choices, reasoning, tool calls and log-probabilities of one stream. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { transcription } from '@sallyport/core'
import type { ChatChunk, TranscriptionCapability, Verdict } from '@sallyport/core'
import { call } from '@sallyport/stand-ins/call'
import { noChecks, guard, enforce, finder, quiet } from '../support.js'
import { checks, deltas, detectors, guarded, hear, listen, pii, reply, request, sentence } from './streams.js'
import type { Detectors } from './streams.js'

describe('the texts of a guarded stream', () => {
  it('lets one choice go on while another one waits', async () => {
    const chunk = (choice: number, delta: string): ChatChunk => ({ choice, delta })
    const pieces = [
      chunk(0, 'A'),
      chunk(1, `${sentence}And`),
      chunk(0, ' long story'),
      chunk(1, ' 1234'),
      chunk(0, ' of 1234'),
    ]
    const { pieces: heard } = await listen(guarded(reply(pieces)))
    const said = (of: number) =>
      heard.map((piece) => ('delta' in piece && (piece.choice ?? 0) === of ? piece.delta : '')).join('')
    expect([said(0), said(1)]).to.deep.equal(['A long story of <SECRET>', `${sentence}And <SECRET>`])
    expect(heard.findIndex((piece) => piece.choice === 1)).to.be.below(heard.findIndex((piece) => piece.choice === 0))
  })

  it('keeps the order of reasoning and answer, and checks both', async () => {
    const pieces: ChatChunk[] = [
      { reasoning: 'The user wants 12' },
      { reasoning: '34, so' },
      { delta: 'It is 12' },
      { delta: '34' },
    ]
    const { pieces: heard } = await listen(guarded(reply(pieces)))
    expect(
      heard.filter(
        (piece) => !('delta' in piece && piece.delta === '') && !('reasoning' in piece && piece.reasoning === ''),
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
    const pieces = async function* (): AsyncGenerator<ChatChunk> {
      yield { reasoning: 'hm' }
      yield { delta: 'Well' }
      await sleep(50)
      expect(heardReasoning).to.equal(true)
    }
    for await (const piece of guarded(reply(pieces())).stream(request, call())) heardReasoning ||= 'reasoning' in piece
    const growing: ChatChunk[] = [{ delta: 'so 12' }, { reasoning: 'x' }, { delta: '34' }, { reasoning: 'y' }]
    expect((await listen(guarded(reply(growing)))).said).to.equal('so <SECRET>')
  })

  it('holds the arguments of a tool call, and leaves them JSON', async () => {
    const toolCall = (text: string): ChatChunk => ({ toolCall: { index: 0, name: 'pay', arguments: text } })
    const pieces = [toolCall('{"pin": 12'), toolCall('34, "to": "x. '), toolCall('Y"}')]
    const { pieces: heard } = await listen(guarded(reply(pieces)))
    const text = heard.map((piece) => ('toolCall' in piece ? piece.toolCall.arguments : '')).join('')
    expect(JSON.parse(text) as unknown).to.deep.equal({ pin: '<SECRET>', to: 'x. Y' })
  })

  it('checks what stands for the id of a tool call and is none', async () => {
    const toolCall = (id: string): ChatChunk => ({ toolCall: { index: 0, id, name: 'pay', arguments: '{}' } })
    const { pieces } = await listen(guarded(reply([toolCall('call_12'), toolCall('it is 1234')])))
    const ids = pieces.flatMap((piece) => ('toolCall' in piece ? [piece.toolCall.id] : []))
    expect(ids[0]).to.match(/^[a-z\d]{9}$/)
    expect(ids[1]).to.equal('it is <SECRET>')
  })

  it('shows a name that means nothing for the id of a tool call that could say something', async () => {
    const said = ['jane.miller', '4111111111111111', 'jane.miller']
    const calls = said.map((id, index): ChatChunk => ({ toolCall: { index, id, name: 'pay', arguments: '{}' } }))
    const idsOf = (pieces: ChatChunk[]) => pieces.flatMap((piece) => ('toolCall' in piece ? [piece.toolCall.id] : []))
    const [jane, card, again] = idsOf((await listen(guarded(reply(calls)))).pieces)
    expect(jane).to.match(/^[a-z\d]{9}$/)
    expect(card)
      .to.match(/^[a-z\d]{9}$/)
      .and.not.equal(jane)
    expect(again).to.equal(jane)
    const shadow = { toxicity: { ...enforce, mode: 'shadow' } } as const
    expect(idsOf((await listen(guarded(reply(calls), shadow))).pieces)).to.deep.equal(said)
  })

  it('joins pieces whatever numbers the backend puts beside them', async () => {
    const pieces = ['so 12', '34', ' it is'].map((delta, at) => ({ delta, at: at + 1 }))
    expect((await listen(guarded(reply(pieces)))).said).to.equal('so <SECRET> it is')
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
        ...quiet,
        policy: { ...noChecks, output: checks },
        detectors: { ...quiet.detectors, ...detectors },
      }
      for await (const piece of guard(transcription, service, context).stream({ file: 'a' }, call()))
        expect('segment' in piece && piece.segment.words !== undefined).to.equal(kept)
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
    const policy = { ...noChecks, output: { toxicity: enforce } }
    const context = { ...quiet, policy, detectors: { ...quiet.detectors, ...detectors } }
    const heard = []
    for await (const piece of guard(transcription, service, context).stream({ file: 'a' }, call())) heard.push(piece)
    expect(heard).to.deep.equal(segments.map((segment) => ({ segment })))
  })

  it('drops log-probabilities of replaced text only', async () => {
    const piece = (delta: string): ChatChunk => ({ delta, logprobs: [{ token: delta, logprob: -1 }] })
    const { pieces } = await listen(guarded(reply([piece(sentence), piece('So 12'), piece('34')])))
    const kept = pieces.flatMap((one) => ('logprobs' in one ? (one.logprobs ?? []) : []))
    expect(kept).to.deep.equal([{ token: sentence, logprob: -1 }])
  })

  it('drops log-probabilities of tokens that the text does not have', async () => {
    const logprobs = (token: string) => [{ token, logprob: -1 }]
    const pieces = [
      { delta: sentence, logprobs: logprobs('my pin is 12') },
      { delta: '', logprobs: logprobs('34') },
      { delta: 'Well.', logprobs: logprobs('Well.') },
    ]
    const { pieces: heard } = await listen(guarded(reply(pieces)))
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
