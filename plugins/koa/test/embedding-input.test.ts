import { failure } from '@sallyport/core'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { serverFor } from './support/server.js'

const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`

/** Refuses the last id of the last list of ids, and all texts. */
const strict: TestModel = {
  id: 'strict',
  features: { image: true },
  services: {
    embedding: {
      embed: ({ inputs }: { inputs: ({ tokens: number[] } | { image: unknown } | { text: string })[] }) => {
        const at = inputs.length - 1
        const last = inputs[at]!
        if ('tokens' in last)
          throw failure('invalid_request', { field: `inputs[${at}].tokens[${last.tokens.length - 1}]`, problem: 'bad' })
        if ('text' in last) throw failure('context_exceeded', { field: `inputs[${at}]`, tokens: 9, limit: 8 })
        return Promise.resolve({ vectors: inputs.map(() => Float32Array.of(1)), promptTokens: 1 })
      },
    },
  },
}

/** Every text is too long, ids too. */
const short: TestModel = {
  id: 'short',
  services: {
    embedding: {
      embed: () => Promise.reject(failure('context_exceeded', { field: 'inputs[0]', tokens: 9, limit: 8 })),
    },
  },
}

describe('what is to be embedded', () => {
  const server = serverFor(() => testKernel([strict, short]), { limits: { images: 2 } })

  const post = async (input: unknown, model = 'strict') => {
    const answer = await server.post('/v1/embeddings', { model, input })
    const { error } = (await answer.json()) as { error?: { message: string; param: string } }
    return { status: answer.status, param: error?.param, message: error?.message }
  }

  for (const [what, input, param, model] of [
    ['an id of the one list', [1, 2, 3], 'input[2]'],
    ['an id of one of several lists', [[1], [2, 3]], 'input[1][1]'],
    ['a text of a list', ['a', 'b'], 'input[1]'],
    ['the one text', 'a', 'input'],
    ['the one list of ids, and not its first id', [1, 2], 'input', 'short'],
    ['one of several lists of ids', [[1, 2], [3]], 'input[0]', 'short'],
  ] as const)
    it(`is refused at its place: ${what}`, async () => {
      expect(await post(input, model)).to.include({ status: 400, param })
    })

  it('has no more images than the limit', async () => {
    const images = (count: number) => Array.from({ length: count }, () => ({ image: png }))
    expect(await post(images(2))).to.include({ status: 200 })
    expect(await post([...images(3), { text: 'a' }])).to.deep.equal({
      status: 400,
      param: 'input',
      message: 'input: must hold at most 2 images, not 3',
    })
  })
})
