/** What answers are compared with, as callers see it. */

import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { answers } from './support/saying-plugin.js'
import { useServer } from './support/server.js'

type Message = Readonly<Record<string, unknown>>
type Verdict = 'no reference' | 'pass' | 'block'

const plugin = fileURLToPath(new URL('./support/saying-plugin.js', import.meta.url))
const system = (content: string): Message => ({ role: 'system', content })
const user = (content: unknown): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })

const usual = system('You are a helpful assistant. Answer briefly. If you do not know the answer, say so.')
const article = 'The tower in the middle of the city was built in 1889. It is 330 metres tall, and open every day.'
const calls = [{ id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{}' } }]
const lookedUp = (content: string): Message[] => [
  user('How tall is the tower?'),
  { role: 'assistant', content: null, tool_calls: calls },
  { role: 'tool', tool_call_id: 'c1', content },
]

const chats: readonly (readonly [
  name: string,
  model: keyof typeof answers,
  messages: readonly Message[],
  verdict: Verdict,
])[] = [
  ['a question', 'capital', [user('What is the capital of France?')], 'no reference'],
  [
    'a question behind a usual system prompt',
    'capital',
    [usual, user('What is the capital of France?')],
    'no reference',
  ],
  ['words of a question', 'capital', [user('capital of France')], 'no reference'],
  [
    'the second turn',
    'capital',
    [usual, user('Hello!'), assistant('Madrid is the capital of Spain.'), user('Thanks! And that of France?')],
    'no reference',
  ],
  ['a task', 'poem', [user('Write a poem about autumn')], 'no reference'],
  ['a task of another language', 'poem', [usual, user('Schreibe ein Gedicht über den Herbst.')], 'no reference'],
  ['a right summary', 'right', [usual, user(`Summarise this article:\n\n${article}`)], 'pass'],
  ['a wrong summary', 'wrong', [usual, user(`Summarise this article:\n\n${article}`)], 'block'],
  ['a wrong summary of a text in the same line', 'wrong', [user(`Summarise: ${article}`)], 'block'],
  [
    'a wrong summary of a text in parts',
    'wrong',
    [
      user([
        { type: 'text', text: 'Summarise: ' },
        { type: 'text', text: article },
      ]),
    ],
    'block',
  ],
  ['a right answer from a context', 'right', [user(`Context: ${article}\n\nQuestion: How tall is it?`)], 'pass'],
  ['a wrong answer from a context', 'wrong', [user(`Context: ${article}\n\nQuestion: How tall is it?`)], 'block'],
  [
    'a context of the system',
    'wrong',
    [system(`Answer from this text:\n${article}`), user('How tall is it?')],
    'block',
  ],
  ['a right answer from a result', 'right', lookedUp('{"tower": {"built": 1889, "tall": "330 metres"}}'), 'pass'],
  ['a wrong answer from a result', 'wrong', lookedUp(article), 'block'],
]

describe('what answers must agree with', function () {
  this.timeout(120_000)
  const plugins = ['@sallyport/koa', plugin, '@sallyport/guards']
  const server = useServer({ plugins, models: { factuality: { backend: 'factuality' } } })

  const headers = { 'x-safeguards-receipt': 'true' }
  const receiptIn = (text: string) => /\{"check":"factuality".*?"findings":\{[^}]*\}/.exec(text)?.[0] ?? ''
  const expectVerdict = (text: string, verdict: Verdict) => {
    const blocked = text.includes('failed factuality check')
    expect(blocked, text).to.equal(verdict === 'block')
    expect(receiptIn(text), text).to.include(`"verdict":"${blocked ? 'block' : 'pass'}"`)
    expect(receiptIn(text).includes('"reason":"no reference"'), text).to.equal(verdict === 'no reference')
  }
  const ask = async (path: string, body: object) => (await server.send(path, body, headers)).text()

  for (const [name, model, messages, verdict] of chats)
    for (const stream of [false, true])
      it(`is, of ${name}: ${verdict}${stream ? ', streamed' : ''}`, async () => {
        const body = { model, messages, stream, output: { factuality: true } }
        expectVerdict(await ask('/chat/completions', body), verdict)
      })

  for (const [name, model, input, verdict] of [
    ['a question', 'capital', 'What is the capital of France?', 'no reference'],
    ['a summary', 'wrong', `Summarise: ${article}`, 'block'],
  ] as const)
    it(`is the same of responses: ${name}`, async () => {
      const body = { model, input, safeguards: { factuality: true } }
      expectVerdict(await ask('/responses', body), verdict)
    })

  for (const [name, model, prompt, verdict] of [
    ['a sentence to be continued', 'capital-text', 'The biggest city that I have ever seen was', 'no reference'],
    ['a text and a question', 'wrong-text', `${article}\n\nHow tall is it?`, 'block'],
    ['a text and a question, answered rightly', 'right-text', `${article}\n\nHow tall is it?`, 'pass'],
  ] as const)
    it(`is the same of completions: ${name}`, async () => {
      expectVerdict(await ask('/completions', { model, prompt, max_tokens: 64, output: { factuality: true } }), verdict)
    })

  it('is what the caller names, where it asks the detector itself', async () => {
    const check = async (reference: string) => {
      const response = await server.post('/factuality', { reference, text: 'The capital of France is Paris.' })
      return ((await response.json()) as { checks: { score: number }[] }).checks[0]?.score
    }
    expect(await check('The capital of France is Paris.')).to.be.above(0.5)
    expect(await check('What is the capital of France?')).to.be.below(0.5)
  })
})
