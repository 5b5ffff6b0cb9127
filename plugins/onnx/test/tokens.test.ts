import { expect } from 'chai'
import { tokens } from '@sallyport/core'
import { runConformance, testCall } from '@sallyport/testing'
import { OnnxTokens } from '../src/tokens.js'
import { bytePair, tokenizerOf, wordPiece } from './support/tokenizers.js'

describe('tokens', () => {
  it('have no special tokens around them', async () => {
    const service = new OnnxTokens(tokenizerOf(wordPiece))
    const { tokens: found } = await service.tokenize({ text: 'the fox' }, testCall())
    expect(found).to.deep.equal([
      { id: 4, text: 'the', start: 0, end: 3 },
      { id: 6, text: 'fox', start: 4, end: 7 },
    ])
    expect(await service.detokenize({ tokens: found.map(({ id }) => id) }, testCall())).to.deep.equal({
      text: 'the fox',
    })
  })

  it('of a long text leave room for others, and are given up soon', async () => {
    const service = new OnnxTokens(tokenizerOf(bytePair))
    const controller = new AbortController()
    const running = service.tokenize({ text: 'the fox '.repeat(500_000) }, testCall({ signal: controller.signal }))
    const started = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(new Error('gone'))
    const error: unknown = await running.catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message', 'gone')
    expect(performance.now() - started).to.be.below(500)
  })

  runConformance(tokens, { create: () => Promise.resolve(new OnnxTokens(tokenizerOf(bytePair))) })
})
