import { expect } from 'chai'
import { definePlugin, embedding, isSallyportError } from '@sallyport/core'
import type { EmbeddingRequest } from '@sallyport/core'
import { createKernel } from '../src/create-kernel.js'

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
  ['an empty vector', vectors(() => new Float32Array()), 'an empty vector 0'],
  ['NaN', vectors((index) => Float32Array.of(index === 1 ? NaN : 1, 0)), 'numbers that are not finite in vector 1'],
  ['infinity', vectors(() => Float32Array.of(-Infinity)), 'numbers that are not finite in vector 0'],
  [
    'vectors of different lengths in one part',
    vectors((index) => new Float32Array(index % 2 ? 3 : 2)),
    'vectors of different lengths: 2, 3',
  ],
  [
    'vectors of different lengths in different parts',
    vectors((_, request) => new Float32Array(isLast(request) ? 3 : 2)),
    'vectors of different lengths: 2, 3',
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

  const embedWith = async (answer: Answer) => {
    class Odd {
      embed = (request: EmbeddingRequest) => Promise.resolve(answer(request) as ReturnType<typeof good>)
    }
    const odd = definePlugin({ name: 'odd', models: { m: { capability: embedding, class: Odd } } })
    const kernel = await createKernel({ plugins: [odd] })
    return kernel
      .get(embedding)
      .embed({ inputs })
      .finally(() => kernel.stop())
  }

  it('is passed on where there is a vector for each input', async () => {
    expect((await embedWith(good)).vectors).to.have.length(600)
  })

  for (const [what, answer, problem] of faults)
    it(`ends in an error that tells the log whose it is: ${what}`, async () => {
      const error: unknown = await embedWith(answer).catch((thrown: unknown) => thrown)
      expect(isSallyportError(error) && error.code).to.equal('invalid_backend_result')
      const { cause } = error as { cause: Error }
      expect(cause.message)
        .to.match(/plugin odd.* model m/)
        .and.include(problem)
    })
})
