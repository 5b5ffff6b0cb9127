/** What the kernel makes of the chunks of chat and completion backends. */

import { expect } from 'chai'
import { chat, completion, serve, tokens } from '@sallyport/core'
import type { ChatChunk, ChatRequest, CompletionChunk, TokensCapability } from '@sallyport/core'
import { collectChunks, recordingLogger } from '@sallyport/testing'
import reference from '@sallyport/testing/reference'
import { classOf, says, useKernels, withModel } from './support/kernels.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]
const start = useKernels()

/** What comes of chunks that a backend says. */
const heard = async (chunks: readonly object[], stop?: string[]) => {
  const backend = { stream: () => says(...(chunks as ChatChunk[])) }
  const also = [serve(completion, classOf(backend) as never)]
  const kernel = await start({ plugins: [withModel('says', chat, backend, { also })] })
  const more = stop ? { stop } : {}
  const tools = [{ name: 'f' }, { name: 'g' }]
  const first: (ChatChunk | CompletionChunk)[] = await collectChunks(
    kernel.get(chat).stream({ messages, tools, ...more }),
  )
  // A completion has no tool calls.
  if (!chunks.some((chunk) => 'toolCall' in chunk))
    expect(await collectChunks(kernel.get(completion).stream({ prompt: 'x', ...more }))).to.deep.equal(first)
  return first
}

const usage = { promptTokens: 1, completionTokens: 1 }
const finish = { finish: 'stop', usage }
const bytes = (text: string) => [...Buffer.from(text)]

describe('what backends say beside their text', () => {
  const cases: { name: string; chunks: object[]; stop?: string[]; expected: object[] }[] = [
    {
      name: 'keeps a stop sequence of the request',
      chunks: [{ ...finish, stopSequence: 'END' }],
      stop: ['###', 'END'],
      expected: [{ ...finish, stopSequence: 'END' }],
    },
    {
      name: 'leaves out any other stop sequence',
      chunks: [{ ...finish, stopSequence: '4111111111111111' }],
      stop: ['END'],
      expected: [finish],
    },
    {
      name: 'leaves out a stop sequence where there are none',
      chunks: [{ ...finish, stopSequence: 'END' }],
      expected: [finish],
    },
    {
      name: 'takes the first id and name of a tool call',
      chunks: [
        { toolCall: { index: 0, id: 'a', name: 'f', arguments: '{' } },
        { toolCall: { index: 0, id: '4111', name: '1111', arguments: '}' } },
        { toolCall: { index: 1, name: 'g', arguments: '{}' } },
        finish,
      ],
      expected: [
        { toolCall: { index: 0, id: 'a', name: 'f', arguments: '{' } },
        { toolCall: { index: 0, arguments: '}' } },
        { toolCall: { index: 1, name: 'g', arguments: '{}' } },
        finish,
      ],
    },
    {
      name: 'leaves out bytes that are those of another text',
      chunks: [
        {
          delta: 'ok',
          logprobs: [
            {
              token: 'ok',
              logprob: -1,
              bytes: bytes('4111'),
              top: [
                { token: 'ok', logprob: -1, bytes: bytes('ok') },
                { token: 'no', logprob: -2, bytes: bytes('1111') },
              ],
            },
          ],
        },
        { delta: '\ufffd', logprobs: [{ token: '\ufffd', logprob: -1, bytes: [0xf0, 0x9f] }] },
        finish,
      ],
      expected: [
        {
          delta: 'ok',
          logprobs: [
            {
              token: 'ok',
              logprob: -1,
              top: [
                { token: 'ok', logprob: -1, bytes: bytes('ok') },
                { token: 'no', logprob: -2 },
              ],
            },
          ],
        },
        { delta: '\ufffd', logprobs: [{ token: '\ufffd', logprob: -1, bytes: [0xf0, 0x9f] }] },
        finish,
      ],
    },
  ]
  for (const { name, chunks, stop, expected } of cases)
    it(name, async () => {
      expect(await heard(chunks, stop)).to.deep.equal(expected)
    })

  const refusalOf = (chunks: readonly object[]) =>
    heard(chunks).then(
      () => undefined,
      (thrown: unknown) => thrown as Error & { code?: string },
    )

  it('is no answer with a reason to finish that there is not', async () => {
    const error = await refusalOf([{ delta: 'x' }, { finish: '4111111111111111' }])
    expect(error?.code).to.equal('invalid_backend_result')
    expect(error?.message).not.to.contain('4111')
  })

  it('is no answer with a choice that nobody asked for', async () => {
    const error = await refusalOf([{ delta: 'x' }, { choice: 1, delta: 'y' }, { choice: 1, ...finish }, finish])
    expect(error?.code).to.equal('invalid_backend_result')
  })

  it('is not an answer with anything after its finish', async () => {
    expect((await refusalOf([{ delta: 'x' }, finish, { delta: 'y' }]))?.code).to.equal('invalid_backend_result')
    expect((await refusalOf([{ delta: 'x' }, finish, finish]))?.code).to.equal('invalid_backend_result')
  })

  const toolCall = { index: 0, name: 'f', arguments: '{}' }
  const logprobs = [{ token: 'x', logprob: -1 }]
  const two: Record<string, object> = {
    'a text and a call': { delta: 'x', toolCall },
    'a text and a thought': { delta: 'x', reasoning: 'y' },
    'a text and an end': { delta: 'x', ...finish },
    'a text and a stop sequence': { delta: 'x', stopSequence: 'END' },
    'a thought and a call': { reasoning: 'x', toolCall },
    'a thought with log-probabilities': { reasoning: 'x', logprobs },
    'a call and an end': { toolCall, ...finish },
    'a call and a stop sequence': { toolCall, stopSequence: 'END' },
    'an end with log-probabilities': { ...finish, logprobs },
  }
  for (const [name, chunk] of Object.entries(two))
    it(`is no answer where a chunk is ${name}`, async () => {
      expect((await refusalOf([chunk, finish]))?.code).to.equal('invalid_backend_result')
    })
})

/** A model whose tokens are words; its tokenizer notes what it counts, or fails. */
const counting = (failing = false) => {
  const counted: string[] = []
  const words: TokensCapability = {
    tokenize: ({ text }) => {
      counted.push(text)
      if (failing) return Promise.reject(new Error(`cannot count ${text}`))
      return Promise.resolve({ tokens: text.split(' ').map((word, id) => ({ id, text: word, start: 0, end: 0 })) })
    },
    detokenize: () => Promise.resolve({ text: '' }),
  }
  const backend = { stream: () => says({ delta: 'a b' }, { finish: 'stop' }) }
  const also = [serve(tokens, classOf(words)), serve(completion, classOf(backend) as never)]
  return { counted, plugin: withModel('counting', chat, backend, { also }) }
}

describe('usage that the backend does not report', () => {
  it('is counted, the prompt once for all choices', async () => {
    const { plugin, counted } = counting()
    const kernel = await start({ plugins: [plugin] })
    const { usage } = await kernel.get(chat).generate({ messages, n: 3 })
    expect(usage).to.deep.equal({ promptTokens: 3, completionTokens: 6 })
    expect(counted).to.have.members(['one two three', 'a b', 'a b', 'a b'])
  })

  it('does not count the echo of a prompt as an answer', async () => {
    const { plugin } = counting()
    const kernel = await start({ plugins: [plugin] })
    const { usage } = await kernel.get(completion).generate({ prompt: 'one two three', echo: true, n: 2 })
    expect(usage).to.deep.equal({ promptTokens: 3, completionTokens: 4 })
  })

  it('is left out where the tokenizer fails: the answer is there, and the log says why without its text', async () => {
    const { lines, logger } = recordingLogger()
    const kernel = await start({ plugins: [counting(true).plugin] }, { logger })
    const { choices, usage } = await kernel.get(chat).generate({ messages }, { requestId: 'r1' })
    expect(choices.map(({ text, finish }) => [text, finish])).to.deep.equal([['a b', 'stop']])
    expect(usage).to.equal(undefined)
    const shown = lines.filter(({ level }) => level !== 'debug')
    expect(shown).to.have.length(1)
    expect(shown[0]!.fields).to.include({ requestId: 'r1', model: 'counting' })
    expect(JSON.stringify(shown)).not.to.contain('cannot count')
  })
})

describe('a kernel', () => {
  it('serves no empty chunks, and loses no log-probabilities with them', async () => {
    const logprobs = (token: string) => [{ token, logprob: -1 }]
    const stream = () =>
      says(
        { delta: '' },
        { reasoning: '' },
        { delta: '', logprobs: logprobs('a') },
        { delta: 'ab', logprobs: logprobs('b') },
        { toolCall: { index: 0, id: 'call-1', name: 'f', arguments: '' } },
        { toolCall: { index: 0, arguments: '' } },
        { delta: '', logprobs: logprobs('c') },
        { finish: 'stop' },
      )
    const kernel = await start({ plugins: [withModel('gappy', chat, { stream })] })
    expect(await collectChunks(kernel.get(chat).stream({ messages, tools: [{ name: 'f' }] }))).to.deep.equal([
      { delta: 'ab', logprobs: [...logprobs('a'), ...logprobs('b')] },
      { toolCall: { index: 0, id: 'call-1', name: 'f', arguments: '' } },
      { choice: 0, delta: '', logprobs: logprobs('c') },
      { finish: 'stop' },
    ])
  })

  it('has no empty echo', async () => {
    const kernel = await start({ plugins: [reference] })
    const chunks = await collectChunks(kernel.get(completion).stream({ prompt: '', echo: true, maxTokens: 1 }))
    expect(chunks.map((chunk) => 'delta' in chunk && chunk.delta)).to.not.include('')
  })
})
