/** What the kernel makes of the vectors of embedding backends. */

import { expect } from 'chai'
import { embedding, failure, isSallyportError } from '@sallyport/core'
import type { Call, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { rejection } from '@sallyport/stand-ins/errors'
import { withBatches } from '../src/calls/embedding.js'
import { useKernels, withModel } from './support/kernels.js'

const good = ({ inputs }: EmbeddingRequest) => ({
  vectors: inputs.map(() => Float32Array.of(0.6, 0.8)),
  promptTokens: inputs.length,
})

/** What a plugin without a compiler may return. */
type Answer = (request: EmbeddingRequest) => unknown

const vectors =
  (make: (index: number, request: EmbeddingRequest) => unknown): Answer =>
  (request) => ({ ...good(request), vectors: request.inputs.map((_, index) => make(index, request)) })

const isLast = ({ inputs }: EmbeddingRequest) => inputs.length < 256

const faults: [what: string, answer: Answer, problem: string][] = [
  ['nothing', () => undefined, 'must be an object with "vectors", "promptTokens", but is missing'],
  ['no vectors', (request) => ({ ...good(request), vectors: [] }), '0 vectors for 256 inputs'],
  [
    'one vector less than inputs, in a part',
    (request) => ({ ...good(request), vectors: good(request).vectors.slice(isLast(request) ? 1 : 0) }),
    '87 vectors for 88 inputs',
  ],
  [
    'a plain list as a vector',
    vectors((index) => (index === 3 ? [1, 0] : Float32Array.of(1, 0))),
    'vectors[3]: must be a Float32Array',
  ],
  ['an empty vector', vectors(() => new Float32Array()), 'an empty vector at index 0'],
  [
    'NaN',
    vectors((index) => Float32Array.of(index === 1 ? NaN : 1, 0)),
    'numbers that are not finite in the vector at index 1',
  ],
  ['infinity', vectors(() => Float32Array.of(-Infinity)), 'numbers that are not finite in the vector at index 0'],
  [
    'vectors of different lengths in one part',
    vectors((index) => new Float32Array(index % 2 ? 3 : 2)),
    'vectors of different dimensions: 2, 3',
  ],
  [
    'vectors of different lengths in different parts',
    vectors((_, request) => new Float32Array(isLast(request) ? 3 : 2)),
    'vectors of different dimensions: 2, 3',
  ],
  [
    'no count of tokens',
    ({ inputs }) => ({ vectors: good({ inputs }).vectors }),
    'promptTokens: must be a number, but is missing',
  ],
  ['half a token', (request) => ({ ...good(request), promptTokens: 0.5 }), 'no number of tokens'],
]

describe('what an embedding backend returns', () => {
  const inputs = Array.from({ length: 600 }, () => ({ text: 'a' }))

  const start = useKernels()
  const embedWith = async (answer: Answer) => {
    const odd = withModel('odd', embedding, { embed: (request) => Promise.resolve(answer(request) as EmbeddingResult) })
    return (await start({ plugins: [odd] })).get(embedding).embed({ inputs })
  }

  it('is passed on where there is a vector for each input', async () => {
    expect((await embedWith(good)).vectors).to.have.length(600)
  })

  for (const [what, answer, problem] of faults)
    it(`ends in an error that tells the log whose it is: ${what}`, async () => {
      const error = await rejection(embedWith(answer))
      expect(isSallyportError(error) && error.code).to.equal('invalid_backend_result')
      const { cause } = error as { cause: Error }
      expect(cause.message)
        .to.match(/plugin odd.* model odd/)
        .and.include(problem)
    })
})

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

describe('long lists of inputs to embed', () => {
  it('reach the model in parts, two at a time, and come back in order', async () => {
    const { embed, sizes, most } = backend()
    const { vectors, promptTokens } = await withBatches(embed)(textsRequest(1000), testCall())
    expect(vectors.map(([value]) => value)).to.deep.equal(Array.from({ length: 1000 }, (_, index) => index))
    expect(promptTokens).to.equal(1000)
    expect(sizes).to.deep.equal([256, 256, 256, 232])
    expect(most()).to.equal(2)
  })

  it('go whole where they are short', async () => {
    const { embed, sizes } = backend()
    await withBatches(embed)(textsRequest(256), testCall())
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
    const error = await rejection(withBatches(embed)(textsRequest(600), testCall()))
    expect(error).to.have.property('message', 'inputs[259].image: is broken')
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true])
  })

  it('are refused by a full queue at the start only', async () => {
    const { embed } = backend()
    let refusals = 0
    const full = (start: string) =>
      withBatches((request) => {
        const [first] = request.inputs
        if (refusals > 0 || !first || !('text' in first) || first.text !== start) return embed(request)
        refusals += 1
        return Promise.reject(failure('overloaded', {}, { retryAfter: 0.01 }))
      })(textsRequest(600), testCall())
    expect((await full('512')).vectors).to.have.length(600)
    expect(refusals).to.equal(1)
    refusals = 0
    expect(await rejection(full('0'))).to.have.property('code', 'overloaded')
  })
})
