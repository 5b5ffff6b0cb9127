import { expect } from 'chai'
import { chat, completion, definePlugin, injectable, serve } from '@sallyport/core'
import type { ChatChunk, CompletionChunk } from '@sallyport/core'
import { createKernel } from '../src/create-kernel.js'

/** What comes of pieces that a backend says. */
const heard = async (pieces: readonly object[], stop?: string[]) => {
  @injectable()
  class Backend {
    async *stream() {
      for (const piece of pieces) yield await Promise.resolve(piece as never)
    }
  }
  const model = { capability: chat, class: Backend, also: [serve(completion, Backend)] }
  const kernel = await createKernel({ plugins: [definePlugin({ name: 'says', models: { says: model } })] })
  const more = stop ? { stop } : {}
  const all: (ChatChunk | CompletionChunk)[][] = []
  try {
    const streams = [
      kernel
        .get(chat)
        .stream({ messages: [{ role: 'user', content: 'x' }], tools: [{ name: 'f' }, { name: 'g' }], ...more }),
      // A completion has no tool calls.
      ...(pieces.some((piece) => 'toolCall' in piece) ? [] : [kernel.get(completion).stream({ prompt: 'x', ...more })]),
    ]
    for (const stream of streams) {
      const one: (ChatChunk | CompletionChunk)[] = []
      for await (const piece of stream) one.push(piece)
      all.push(one)
    }
  } finally {
    await kernel.stop()
  }
  const [first, second = first] = all
  expect(first).to.deep.equal(second)
  return first
}

const usage = { promptTokens: 1, completionTokens: 1 }
const finish = { finish: 'stop', usage }
const bytes = (text: string) => [...Buffer.from(text)]

describe('what backends say beside their text', () => {
  const cases: { name: string; pieces: object[]; stop?: string[]; expected: object[] }[] = [
    {
      name: 'keeps a stop text of the request',
      pieces: [{ ...finish, stopText: 'END' }],
      stop: ['###', 'END'],
      expected: [{ ...finish, stopText: 'END' }],
    },
    {
      name: 'leaves out any other stop text',
      pieces: [{ ...finish, stopText: '4111111111111111' }],
      stop: ['END'],
      expected: [finish],
    },
    {
      name: 'leaves out a stop text where there are none',
      pieces: [{ ...finish, stopText: 'END' }],
      expected: [finish],
    },
    {
      name: 'takes the first id and name of a tool call',
      pieces: [
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
      pieces: [
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
  for (const { name, pieces, stop, expected } of cases)
    it(name, async () => {
      expect(await heard(pieces, stop)).to.deep.equal(expected)
    })

  const refusalOf = (pieces: readonly object[]) =>
    heard(pieces).then(
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

  it('is no answer with anything behind its finish', async () => {
    expect((await refusalOf([{ delta: 'x' }, finish, { delta: 'y' }]))?.code).to.equal('invalid_backend_result')
    expect((await refusalOf([{ delta: 'x' }, finish, finish]))?.code).to.equal('invalid_backend_result')
  })

  const toolCall = { index: 0, name: 'f', arguments: '{}' }
  const logprobs = [{ token: 'x', logprob: -1 }]
  const two: Record<string, object> = {
    'a text and a call': { delta: 'x', toolCall },
    'a text and a thought': { delta: 'x', reasoning: 'y' },
    'a text and an end': { delta: 'x', ...finish },
    'a text and a stop text': { delta: 'x', stopText: 'END' },
    'a thought and a call': { reasoning: 'x', toolCall },
    'a thought with log-probabilities': { reasoning: 'x', logprobs },
    'a call and an end': { toolCall, ...finish },
    'a call and a stop text': { toolCall, stopText: 'END' },
    'an end with log-probabilities': { ...finish, logprobs },
  }
  for (const [name, piece] of Object.entries(two))
    it(`is no answer where a piece is ${name}`, async () => {
      expect((await refusalOf([piece, finish]))?.code).to.equal('invalid_backend_result')
    })
})
