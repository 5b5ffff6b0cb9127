import { expect } from 'chai'
import { definePlugin, injectable, rerank } from '@sallyport/core'
import type { ConfigInput, RerankCapability, RerankRequest } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { createKernel } from '../src/create-kernel.js'

const documents = ['nothing', 'write to jane@example.org']

/** Says what it was asked for in the place of a document. */
@injectable()
class Talkative implements RerankCapability {
  rerank(request: RerankRequest) {
    return Promise.resolve({ ranking: [{ index: 1, score: 1, document: JSON.stringify(request) }] })
  }
}

const talkative = definePlugin({ name: 'talkative', models: { talkative: { capability: rerank, class: Talkative } } })

const first = async (config: ConfigInput, request: Partial<RerankRequest> = {}) => {
  const kernel = await createKernel(config)
  const { ranking } = await kernel.get(rerank).rerank({ query: 'write', documents, ...request })
  await kernel.stop()
  return ranking[0]
}

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
