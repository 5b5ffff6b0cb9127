import { expect } from 'chai'
import { rerank } from '@sallyport/core'
import type { ConfigInput, RerankRequest } from '@sallyport/core'
import { errorOf } from '@sallyport/stand-ins/errors'
import reference from '@sallyport/testing/reference'
import { useKernels, withModel } from './support/kernels.js'

const documents = ['nothing', 'write to jane@example.org']

/** Says what it was asked for in the place of a document. */
const talkative = withModel('talkative', rerank, {
  rerank: (request) => Promise.resolve({ ranking: [{ index: 1, score: 1, document: JSON.stringify(request) }] }),
})

const counting = withModel('counting', rerank, {
  rerank: () => Promise.resolve({ ranking: [{ index: 0, score: 1 }], promptTokens: 7 }),
})

const start = useKernels()
const first = async (config: ConfigInput, request: Partial<RerankRequest> = {}) => {
  const kernel = await start(config)
  return (await kernel.get(rerank).rerank({ query: 'write', documents, ...request })).ranking[0]
}

for (const index of [2, -1, 0.5])
  it(`a ranking of a document that there is not is an error that tells the log whose it is: ${index}`, async () => {
    const wrong = withModel('wrong', rerank, { rerank: () => Promise.resolve({ ranking: [{ index, score: 1 }] }) })
    const error = await errorOf(first({ plugins: [wrong] }), 'invalid_backend_result')
    expect((error.cause as Error).message).to.match(/plugin wrong, model wrong returned the index .* of 2 documents$/)
  })

it('a ranking reports the tokens of its request', async () => {
  const kernel = await start({ plugins: [counting] })
  const reported: unknown[] = []
  await kernel.get(rerank).rerank({ query: 'write', documents }, { onUsage: (usage) => reported.push(usage) })
  expect(reported).to.deep.equal([{ promptTokens: 7 }])
})

describe('documents of a ranking', () => {
  it('stand beside their scores where the request asks for them, whatever the backend says', async () => {
    for (const plugin of [reference, talkative]) {
      expect(await first({ plugins: [plugin] })).to.have.keys('index', 'score')
      expect(await first({ plugins: [plugin] }, { returnDocuments: true })).to.have.property('document', documents[1])
    }
  })

  for (const stage of ['input', 'output'])
    it(`are those that the safeguards left: ${stage}`, async () => {
      const policies = { default: { [stage]: { pii: { action: 'replace', method: 'category' } } } } as const
      const best = await first({ plugins: [reference], policies }, { returnDocuments: true })
      expect(best).to.have.property('document', 'write to <EMAIL_ADDRESS>')
    })
})
