import { expect } from 'chai'
import { useServer } from './support/server.js'

const model = 'all-minilm-l6-v2'

describe('a server whose queue of texts is full', function () {
  this.timeout(120_000)
  const models = { [model]: { backend: 'onnx', options: { queue: 4 } } }
  const server = useServer({ plugins: ['@sallyport/koa', '@sallyport/onnx'], models })

  const embed = (input: unknown, prefix: string) => server.post(`${prefix}/embeddings`, { model, input })
  const texts = Array.from({ length: 32 }, (_, index) => `${index} ${'words and more of them '.repeat(8)}`)
  const message = 'too many requests are waiting: try again later'

  for (const [prefix, error] of [
    ['', message],
    ['/v1', { message, type: 'rate_limit_error', param: null, code: 'overloaded' }],
  ] as const)
    it(`takes the first request, tells the others when to try again, and answers then, under ${prefix || '/'}`, async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => embed(texts, prefix)))
      expect(new Set(all.map(({ status }) => status))).to.deep.equal(new Set([200, 429]))
      for (const refused of all.filter(({ status }) => status === 429)) {
        expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
        expect(await refused.json()).to.deep.include({ error })
      }
      expect((await embed(texts, prefix)).status).to.equal(200)
    })
})
