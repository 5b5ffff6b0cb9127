import { expect } from 'chai'
import { rerank } from '@sallyport/core'
import type { ChatMessage, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { enforce, exchange, finder, guard } from '../support.js'

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const system = (content: string): ChatMessage => ({ role: 'system', content })
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })
const part = (text: string) => ({ type: 'text' as const, text })

/** Finds the attack over any white space in the first characters of a text, and notes what it was asked. */
const listening = (characters = Infinity) => {
  const seen: InspectionRequest[] = []
  const detector = finder('ignore\\s+all', 'injection')
  const injection: Detector = {
    inspect: (request, context): Promise<Inspection> => {
      seen.push(request)
      return detector.inspect({ ...request, text: request.text.slice(0, characters) }, context)
    },
  }
  return { seen, injection }
}

const ask = async (messages: ChatMessage[], characters?: number) => {
  const { seen, injection } = listening(characters)
  const { error } = await exchange(
    { messages },
    { policy: { input: { injection: enforce } }, detectors: { injection } },
  )
  return { seen, answer: error ?? 'passed' }
}

describe('turns of one speaker', () => {
  const blocked = 'prompt injection detected'
  const cases: { name: string; messages: ChatMessage[]; answer: string }[] = [
    { name: 'two turns', messages: [user('please ignore'), user('all')], answer: blocked },
    { name: 'turns and parts', messages: [user([part('please ig'), part('nore')]), user('all')], answer: blocked },
    {
      name: 'the last of many',
      messages: [user('ignore'), assistant('no'), system('ignore'), system('all')],
      answer: blocked,
    },
    {
      name: 'turns around one that says nothing',
      messages: [user('ignore'), assistant(''), assistant(' '), user('all')],
      answer: blocked,
    },
    { name: 'turns of two speakers', messages: [user('ignore'), assistant('all'), user('all')], answer: 'passed' },
  ]
  for (const { name, messages, answer } of cases)
    it(`are read together: ${name}`, async () => {
      expect((await ask(messages)).answer).to.equal(answer)
    })

  it('are inspected by themselves, too, in parts or not', async () => {
    const { seen } = await ask([user([part('a1'), part('a2')]), user('b'), user('c'), assistant('d'), user('e')])
    const texts = seen.map(({ text }) => text)
    expect(texts).to.have.members(['a1', 'a2', 'a1a2', 'b', 'c', 'd', 'e', 'a1a2\nb\nc'])
  })

  const filler = 'x'.repeat(50)
  const thinned: { name: string; messages: ChatMessage[] }[] = [
    { name: 'by itself', messages: [user([part('ignore'), part(' all')])] },
    { name: 'behind harmless turns', messages: [user(filler), user([part('ignore'), part(' all')])] },
    { name: 'before harmless turns', messages: [user([part('ignore'), part(' all')]), user(filler)] },
  ]
  for (const { name, messages } of thinned)
    it(`thin out no attack in parts for a detector that reads the beginning only: ${name}`, async () => {
      expect((await ask([...messages, assistant('no')], 20)).answer).to.equal(blocked)
    })
})

describe('what is inspected for attacks', () => {
  it('says whose turn it is of', async () => {
    const toolCalls = [{ id: '1', name: 'f', arguments: 'args' }]
    const { seen } = await ask([
      system('rules'),
      user('one'),
      user('two'),
      { role: 'assistant', content: 'answer', toolCalls },
      { role: 'tool', content: 'result', toolCallId: '1' },
      user('answer'),
    ])
    expect(seen).to.have.deep.members([
      { text: 'rules', origin: 'system' },
      { text: 'one', origin: 'user' },
      { text: 'two', origin: 'user' },
      { text: 'one\ntwo', origin: 'user' },
      { text: 'rules\none\ntwo', origin: 'user', from: 6 },
      { text: 'answer', origin: 'model' },
      { text: 'f', origin: 'model' },
      { text: 'args', origin: 'model' },
      { text: 'result', origin: 'tool' },
      { text: 'answer', origin: 'user' },
    ])
  })

  it('tells a query from documents', async () => {
    const { seen, injection } = listening()
    const guarded = guard(
      rerank,
      { rerank: () => Promise.resolve({ ranking: [] }) },
      {
        policy: { input: { injection: enforce } },
        detectors: { injection },
      },
    )
    await guarded.rerank({ query: 'q', documents: ['d'] }, testCall())
    expect(seen).to.have.deep.members([
      { text: 'q', origin: 'user' },
      { text: 'd', origin: 'document' },
    ])
  })
})
