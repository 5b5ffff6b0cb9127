import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { json } from './support/answers.js'
import { loadModel } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

const load = (options: object = {}) =>
  loadModel({ url: server.url, capabilities: ['tokens'], retries: { count: 0 }, ...options })

describe('tokens', () => {
  serveEachTest(server)

  const tokenize = async (text: string, tokens: unknown) => {
    server.will(json({ tokens }))
    return (await (await load()).tokens.tokenize({ text }, testCall())).tokens
  }

  it('are asked for beside /v1', async () => {
    expect(
      await tokenize('Hi you', [
        { id: 5, piece: 'Hi' },
        { id: 6, piece: ' you' },
      ]),
    ).to.deep.equal([
      { id: 5, text: 'Hi', start: 0, end: 2 },
      { id: 6, text: ' you', start: 2, end: 6 },
    ])
    expect(server.asked[0]?.path).to.equal('/tokenize')
    expect(server.body).to.include({ content: 'Hi you', with_pieces: true, parse_special: false })
  })

  it('that are parts of a character span it, in code points', async () => {
    const [first, second, third] = ['a', [0xf0, 0x9f], [0x98, 0x80]]
    expect(
      await tokenize(
        'a😀',
        [first, second, third].map((piece, id) => ({ id, piece })),
      ),
    ).to.deep.equal([
      { id: 0, text: 'a', start: 0, end: 1 },
      { id: 1, text: '\ufffd', start: 1, end: 2 },
      { id: 2, text: '\ufffd\ufffd', start: 1, end: 2 },
    ])
  })

  it('become text again', async () => {
    server.will(json({ content: 'Hi' }))
    expect(await (await load()).tokens.detokenize({ tokens: [5] }, testCall())).to.deep.equal({ text: 'Hi' })
    expect(server.asked[0]?.path).to.equal('/detokenize')
    server.will(json({ content: 'a\ud83d' }))
    expect(await (await load()).tokens.detokenize({ tokens: [5] }, testCall())).to.deep.equal({ text: 'a\ufffd' })
    server.will(json({}))
    await errorOf((await load()).tokens.detokenize({ tokens: [5] }, testCall()), 'upstream_failed')
  })

  it('without ids are a failure', async () => {
    await errorOf(tokenize('a', [{ piece: 'a' }]), 'upstream_failed')
  })
})
