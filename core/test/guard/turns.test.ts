import { expect } from 'chai'
import type { ChatMessage, Inspection, Safeguard } from '../../src/index.js'
import { chat } from '../../src/index.js'
import { noChecks } from '../../src/guard/effective-policy.js'
import { guard } from '../../src/guard/guard.js'
import { call, echo, enforce, finder, quiet } from './support.js'

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const system = (content: string): ChatMessage => ({ role: 'system', content })
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })
const part = (text: string) => ({ type: 'text' as const, text })

/** Finds the attack over any white space, and notes each text that it saw. */
const listening = () => {
  const seen: string[] = []
  const detector = finder('ignore\\s+all', 'injection')
  const injection: Safeguard = {
    inspect: (request, context): Promise<Inspection> => {
      seen.push(request.text)
      return detector.inspect(request, context)
    },
  }
  return { seen, injection }
}

const ask = async (messages: ChatMessage[]) => {
  const { seen, injection } = listening()
  const guarded = guard(chat, echo(), {
    ...quiet,
    policy: { ...noChecks, input: { injection: enforce } },
    detectors: { ...quiet.detectors, injection },
  })
  try {
    for await (const piece of guarded.stream({ messages }, call())) expect(piece).to.be.an('object')
    return { seen, answer: 'passed' }
  } catch (error) {
    return { seen, answer: (error as Error).message }
  }
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
      messages: [user('ignore'), assistant(''), user('all')],
      answer: blocked,
    },
    { name: 'turns of two speakers', messages: [user('ignore'), assistant('all'), user('all')], answer: 'passed' },
  ]
  for (const { name, messages, answer } of cases)
    it(`are read together: ${name}`, async () => {
      expect((await ask(messages)).answer).to.equal(answer)
    })

  it('are inspected twice at most, in parts or not', async () => {
    const { seen } = await ask([user([part('a1'), part('a2')]), user('b'), user('c'), assistant('d'), user('e')])
    expect(seen).to.have.members(['a1', 'a2', 'b', 'c', 'd', 'e', 'a1a2\nb\nc'])
  })
})
