import { expect } from 'chai'
import { failure } from '@sallyport/core'
import type { Call, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { inParts } from '../src/embedding-parts.js'

const textsRequest = (count: number): EmbeddingRequest => ({
  inputs: Array.from({ length: count }, (_, index) => ({ text: String(index) })),
})

/** Answers each text with its number, and remembers what it was asked. */
const backend = () => {
  const sizes: number[] = []
  let running = 0
  let most = 0
  const embed = async ({ inputs }: EmbeddingRequest): Promise<EmbeddingResult> => {
    sizes.push(inputs.length)
    most = Math.max(most, (running += 1))
    await new Promise((resolve) => setTimeout(resolve, 2))
    running -= 1
    const vectors = inputs.map((input) => Float32Array.of('text' in input ? Number(input.text) : NaN))
    return { vectors, promptTokens: inputs.length }
  }
  return { embed, sizes, most: () => most }
}

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('long lists of inputs to embed', () => {
  it('reach the model in parts, two at a time, and come back in order', async () => {
    const { embed, sizes, most } = backend()
    const { vectors, promptTokens } = await inParts(embed)(textsRequest(1000), testCall())
    expect(vectors.map(([value]) => value)).to.deep.equal(Array.from({ length: 1000 }, (_, index) => index))
    expect(promptTokens).to.equal(1000)
    expect(sizes).to.deep.equal([256, 256, 256, 232])
    expect(most()).to.equal(2)
  })

  it('go whole where they are short', async () => {
    const { embed, sizes } = backend()
    await inParts(embed)(textsRequest(256), testCall())
    expect(sizes).to.deep.equal([256])
  })

  it('fail as a whole, and the parts beside the failing one are given up', async () => {
    const signals: AbortSignal[] = []
    const embed = ({ inputs }: EmbeddingRequest, { signal }: Call): Promise<EmbeddingResult> => {
      signals.push(signal)
      return inputs[0] && 'text' in inputs[0] && inputs[0].text === '256'
        ? Promise.reject(failure('invalid_request', { field: 'inputs[3].image', problem: 'is broken' }))
        : new Promise(() => undefined)
    }
    const error = await outcome(inParts(embed)(textsRequest(600), testCall()))
    expect(error).to.have.property('message', 'inputs[259].image: is broken')
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true])
  })

  it('are refused by a full queue at the start only', async () => {
    const { embed } = backend()
    let refusals = 0
    const full = (start: string) =>
      inParts((request) => {
        const [first] = request.inputs
        if (refusals > 0 || !first || !('text' in first) || first.text !== start) return embed(request)
        refusals += 1
        return Promise.reject(failure('overloaded', {}, { retryAfter: 0.01 }))
      })(textsRequest(600), testCall())
    expect((await full('512')).vectors).to.have.length(600)
    expect(refusals).to.equal(1)
    refusals = 0
    expect(await outcome(full('0'))).to.have.property('code', 'overloaded')
  })
})
