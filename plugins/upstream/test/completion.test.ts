import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { stream } from './support/answers.js'
import { collectChunks, loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

const load = (options: object = {}) =>
  loadModel({ url: server.url, capabilities: ['completion'], retries: { count: 0 }, ...options })

describe('completion', () => {
  serveEachTest(server)

  const text = (words: string, rest: object = {}) => ({
    choices: [{ index: 0, text: words, finish_reason: null, ...rest }],
  })

  it('asks and answers in OpenAI’s form', async () => {
    const model = await load({ infill: true })
    const usage = { prompt_tokens: 4, completion_tokens: 2 }
    server.will(stream(text('to '), text('be'), text('', { finish_reason: 'length' }), { choices: [], usage }))
    const pieces = await collectChunks(model.complete('or not', { suffix: '!', maxTokens: 2, topLogprobs: 3 }))
    expect(pieces).to.deep.equal([
      { delta: 'to ' },
      { delta: 'be' },
      { finish: 'length', usage: { promptTokens: 4, completionTokens: 2 } },
    ])
    expect(server.asked[0]?.path).to.equal('/v1/completions')
    expect(server.body).to.deep.equal({
      model: 'big-model',
      prompt: 'or not',
      suffix: '!',
      max_tokens: 2,
      logprobs: 3,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('with a suffix is refused where the operator does not say that the model fills gaps', async () => {
    const model = await load()
    server.will(stream(text('a', { finish_reason: 'stop' })))
    await errorOf(collectChunks(model.complete('a', { suffix: 'b' })), 'unsupported')
    expect(server.asked).to.have.length(0)
  })

  it('reads log-probabilities in the older form and in that of chat', async () => {
    const model = await load()
    const older = { tokens: ['a', 'b'], token_logprobs: [-2, -1], top_logprobs: [null, { b: -1, c: -0.5, d: -3 }] }
    const newer = { content: [{ token: 'b', logprob: 1e-9, bytes: [98], top_logprobs: [] }] }
    server.will(stream(text('ab', { logprobs: older }), text('b', { logprobs: newer, finish_reason: 'stop' })))
    expect(await collectChunks(model.complete('x', { topLogprobs: 2 }))).to.deep.equal([
      {
        delta: 'ab',
        logprobs: [
          { token: 'a', logprob: -2 },
          {
            token: 'b',
            logprob: -1,
            top: [
              { token: 'c', logprob: -0.5 },
              { token: 'b', logprob: -1 },
            ],
          },
        ],
      },
      { delta: 'b', logprobs: [{ token: 'b', logprob: 0, bytes: [98] }] },
      { finish: 'stop' },
    ])
  })

  it('has no log-probabilities of tokens that say something else, and no halves of surrogate pairs', async () => {
    const model = await load()
    const logprobs = { tokens: ['secret'], token_logprobs: [-1] }
    server.will(stream(text('a\ud83d', { logprobs }), text('b\ud83d', { finish_reason: 'stop' })))
    expect(await collectChunks(model.complete('x', { topLogprobs: 0 }))).to.deep.equal([
      { delta: 'a' },
      { delta: '\ufffdb' },
      { delta: '\ufffd' },
      { finish: 'stop' },
    ])
  })
})
