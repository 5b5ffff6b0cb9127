import { expect } from 'chai'
import type { ChatRequest } from '@sallyport/core'
import { chunk, counts, ends, says, stream, streamed } from './support/answers.js'
import { collectChunks, loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

describe('a chat answer', () => {
  serveEachTest(server)

  const answerTo = async (values: object[], request: Partial<ChatRequest> = {}) => {
    const model = await server.model(stream(...values))
    return model.answer(request)
  }

  it('comes in pieces, with the usage last', async () => {
    const { pieces } = await answerTo([
      chunk({ role: 'assistant', content: '' }),
      says('Hel'),
      says('lo'),
      ends('length'),
      counts(5, 2, {
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      }),
    ])
    expect(pieces).to.deep.equal([
      { delta: 'Hel' },
      { delta: 'lo' },
      { finish: 'length', usage: { promptTokens: 5, completionTokens: 2, cachedTokens: 4, reasoningTokens: 1 } },
    ])
  })

  it('has no usage where the server reports none', async () => {
    expect((await answerTo([says('a'), ends()])).last).to.deep.equal({ finish: 'stop' })
  })

  for (const [name, chunks, usage] of [
    ['in the last chunk', [ends(), { usage: { prompt_tokens: 3, completion_tokens: 1 } }], [3, 1, undefined]],
    ['beside the finish', [{ ...ends(), usage: { prompt_tokens: 3, completion_tokens: 1 } }], [3, 1, undefined]],
    [
      'with DeepSeek’s cache',
      [ends(), counts(9, 1, { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 })],
      [9, 1, 8],
    ],
    [
      'in Groq’s place',
      [{ ...ends(), x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } }],
      [3, 1, undefined],
    ],
    ['in llama-server’s timings', [{ ...ends(), timings: { prompt_n: 3, cache_n: 6, predicted_n: 1 } }], [9, 1, 6]],
  ] as const)
    it(`has the usage ${name}`, async () => {
      const { last } = await answerTo([says('a'), ...chunks])
      const [promptTokens, completionTokens, cachedTokens] = usage
      expect(last).to.deep.equal({
        finish: 'stop',
        usage: { promptTokens, completionTokens, ...(cachedTokens === undefined ? {} : { cachedTokens }) },
      })
    })

  it('has reasoning under either name, and refusals as text', async () => {
    const { pieces } = await answerTo([
      chunk({ reasoning_content: 'a' }),
      chunk({ reasoning: 'b' }),
      chunk({ refusal: 'No.' }),
      ends(),
    ])
    expect(pieces.slice(0, 3)).to.deep.equal([{ reasoning: 'a' }, { reasoning: 'b' }, { delta: 'No.' }])
  })

  it('has log-probabilities when asked for, those of half characters with the whole one', async () => {
    const logprob = (token: string, bytes: number[], ...others: string[]) => ({
      logprobs: {
        content: [
          {
            token,
            logprob: -0.5,
            bytes,
            top_logprobs: others.map((other, index) => ({ token: other, logprob: index - 3, bytes: null })),
          },
        ],
      },
    })
    const values = [
      chunk({ content: '' }, logprob('\\xc3', [0xc3])),
      chunk({ content: 'é' }, logprob('\\xa9', [0xa9], 'x', 'y', 'z')),
      ends(),
    ]
    expect((await answerTo(values, { topLogprobs: 2 })).pieces[0]).to.deep.equal({
      delta: 'é',
      logprobs: [
        { token: '\ufffd', logprob: -0.5, bytes: [0xc3] },
        {
          token: '\ufffd',
          logprob: -0.5,
          bytes: [0xa9],
          top: [
            { token: 'z', logprob: -1 },
            { token: 'y', logprob: -2 },
          ],
        },
      ],
    })
    expect((await answerTo(values)).pieces[0]).to.deep.equal({ delta: 'é' })
  })

  for (const [name, content, tokens, kept] of [
    ['say the text', 'Hi you', [{ token: 'Hi' }, { token: ' you' }], true],
    ['leave out its white space', ' Hi you', [{ token: 'Hi' }, { token: 'you' }], true],
    ['split a character', 'a😀b', [{ token: 'a' }, { token: '\ufffd' }, { token: '\ufffd' }, { token: 'b' }], true],
    ['say something else', 'Hi', [{ token: 'secret' }], false],
    ['say more', 'Hi', [{ token: 'Hi' }, { token: ' secret' }], false],
    ['say less', 'Hi you', [{ token: 'Hi' }], false],
    ['say more behind a split character', '😀', [{ token: '\ufffdsecret' }], false],
    ['say it, and their bytes something else', 'Hi', [{ token: 'Hi', bytes: [...Buffer.from('secret')] }], false],
  ] as const)
    it(`has ${kept ? 'the' : 'no'} log-probabilities of tokens that ${name}`, async () => {
      const logprobs = { content: tokens.map((token) => ({ logprob: -1, ...token })) }
      const [piece] = (await answerTo([chunk({ content }, { logprobs }), ends()], { topLogprobs: 0 })).pieces
      const expected = kept ? { logprobs: tokens.map((token) => ({ logprob: -1, ...token })) } : {}
      expect(piece).to.deep.equal({ delta: content, ...expected })
    })

  it('has no bytes beside halves of characters that together say something else', async () => {
    const halves = [...Buffer.from('密')].map((byte) => ({ token: '?', logprob: -1, bytes: [byte] }))
    const [piece] = (
      await answerTo([chunk({ content: 'é' }, { logprobs: { content: halves } }), ends()], { topLogprobs: 0 })
    ).pieces
    expect(piece).to.deep.equal({ delta: 'é', logprobs: halves.map(() => ({ token: '\ufffd', logprob: -1 })) })
  })

  it('has no log-probabilities without a text', async () => {
    const logprobs = { content: [{ token: 'secret', logprob: -1 }] }
    const { pieces } = await answerTo([chunk({ content: '' }, { logprobs }), ends()], { topLogprobs: 0 })
    expect(pieces).to.deep.equal([{ finish: 'stop' }])
  })

  it('has U+FFFD for halves of surrogate pairs, and the character where both halves come', async () => {
    const { pieces } = await answerTo([
      chunk({ reasoning: 'r\ud83d' }),
      says('a\udc00b\ud83d'),
      says('\ude00c\ud83d'),
      says('d\ud83d'),
      ends(),
    ])
    expect(pieces).to.deep.equal([
      { reasoning: 'r' },
      { delta: 'a\ufffdb' },
      { delta: '😀c' },
      { delta: '\ufffdd' },
      { reasoning: '\ufffd' },
      { delta: '\ufffd' },
      { finish: 'stop' },
    ])
  })

  it('names the stop sequence where the server does', async () => {
    const values = [says('a'), chunk({}, { finish_reason: 'stop', stop_reason: 'END' })]
    expect((await answerTo(values, { stop: ['END'] })).last).to.deep.equal({ finish: 'stop', stopSequence: 'END' })
    expect((await answerTo(values)).last).to.deep.equal({ finish: 'stop' })
  })

  for (const [given, finish] of [
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['model_length', 'length'],
    ['eos_token', 'stop'],
  ])
    it(`that finished with "${given}" finished with "${finish}"`, async () => {
      expect((await answerTo([says('a'), ends(given)])).last).to.deep.equal({ finish })
    })

  it('of other choices is left out', async () => {
    const other = { choices: [{ index: 1, delta: { content: 'b' } }] }
    expect((await answerTo([says('a'), other, ends()])).text).to.equal('a')
  })

  it('ends with [DONE] even without a reason, and with a reason even without [DONE]', async () => {
    expect((await answerTo([says('a')])).last).to.deep.equal({ finish: 'stop' })
    const model = await loadModel({ url: server.url })
    for (const end of ['\n\n', '\n', '']) {
      server.will(streamed(`data: ${JSON.stringify(says('a'))}\n\ndata: ${JSON.stringify(ends())}${end}`))
      expect(await collectChunks(model.chat())).to.deep.equal([{ delta: 'a' }, { finish: 'stop' }])
    }
  })
})
