import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { player, speaker, toolbox } from './support/models.js'
import { serverFor, withServer } from './support/server.js'

interface Listed {
  id: string
  created: number | string
  capabilities: Record<string, boolean>
}

const seer = player('vendor/seer', [{ finish: 'stop' }], { image: true, tools: true, reasoning: true })

describe('listings', () => {
  const server = serverFor(() => testKernel([speaker, seer, toolbox]))

  const list = async (path: string): Promise<Listed[]> => {
    const answer = await server.get(path)
    expect(answer.status).to.equal(200)
    const { object, data } = (await answer.json()) as { object: string; data: Listed[] }
    expect(object).to.equal('list')
    return data
  }
  const ids = async (path: string) => (await list(path)).map(({ id }) => id)

  it('describe every model', async () => {
    const [first] = await list('/models')
    expect(first).to.deep.include({
      id: 'speaker',
      object: 'model',
      owned_by: 'tests',
      description: 'the model speaker',
      max_context_length: 4096,
    })
    expect(first!.created).to.be.within(Date.now() / 1000 - 60, Date.now() / 1000 + 1)
    expect(first).not.to.have.property('prompt_format')
    expect(first!.capabilities).to.include({
      chat_completion: true,
      completion: true,
      chat_with_image: false,
      responses: true,
      responses_with_image: false,
    })
    expect(await ids('/v1/models')).to.deep.equal(['speaker', 'vendor/seer', 'toolbox'])
  })

  for (const [name, expected] of [
    ['chat_completion', ['speaker', 'vendor/seer']],
    ['chat-completions', ['speaker', 'vendor/seer']],
    ['Chat-Completion', ['speaker', 'vendor/seer']],
    ['chat-with-images', ['vendor/seer']],
    ['tool-calling', ['vendor/seer']],
    ['reasoning', ['vendor/seer']],
    ['completions', ['speaker']],
    ['embeddings', ['toolbox']],
    ['embedding_with_image', []],
    ['rerank', ['toolbox']],
    ['tokenize', ['toolbox']],
    ['responses', ['speaker', 'vendor/seer']],
    ['responses-with-image', ['vendor/seer']],
    ['audio-transcription', []],
  ] as const)
    it(`name the models for ${name}`, async () => {
      expect(await ids(`/models/${name}`)).to.deep.equal(expected)
    })

  it('refuse an unknown capability and list those there are', async () => {
    const answer = await server.get('/models/telepathy')
    expect(answer.status).to.equal(400)
    const { error } = (await answer.json()) as { error: string }
    expect(error).to.match(/^capability: is unknown: there are chat_completion, chat_with_image, /)
  })

  it('describe one model under /v1, by id or alias', async () => {
    for (const [path, id] of [
      ['/v1/models/base', 'speaker'],
      ['/v1/models/vendor/seer', 'vendor/seer'],
      ['/v1/models/vendor%2Fseer', 'vendor/seer'],
    ] as const) {
      const answer = await server.get(path)
      expect(answer.status).to.equal(200)
      expect(await answer.json()).to.include({ id, object: 'model' })
    }
    const unknown = await server.get('/v1/models/nobody')
    expect(unknown.status).to.equal(404)
    expect(await unknown.json()).to.deep.equal({
      error: {
        message: 'model not found: nobody; available: speaker, vendor/seer, toolbox',
        type: 'invalid_request_error',
        code: 'model_not_found',
        param: null,
      },
    })
  })

  it('say what a model is for that only other models ask', async () => {
    const classify = () => Promise.resolve({ labels: [] })
    const namer = { id: 'namer', services: { 'image-classification': { classify } } }
    await withServer(await testKernel([speaker, namer]), {}, async ({ get }) => {
      const { data } = (await (await get('/v1/models')).json()) as { data: Listed[] }
      const able = data.map(({ capabilities }) => Object.keys(capabilities).filter((name) => capabilities[name]))
      expect(able[1]).to.deep.equal(['image_classification'])
      expect(data[0]!.capabilities).not.to.have.property('image_classification')
      const found = (await (await get('/models/image-classification')).json()) as { data: Listed[] }
      expect(found.data.map(({ id }) => id)).to.deep.equal(['namer'])
    })
  })

  it('write times as text where they are told to, outside /v1', async () => {
    await withServer(await testKernel([speaker]), { listing_dates: 'rfc3339' }, async ({ get }) => {
      const created = async (path: string) => ((await (await get(path)).json()) as { data: Listed[] }).data[0]!.created
      expect(await created('/models')).to.match(/^20\d\d-\d\d-\d\dT[\d:]{8}\.000Z$/)
      expect(await created('/v1/models')).to.be.a('number')
    })
  })

  for (const [path, expected] of [
    ['/completions', ['speaker']],
    ['/chat/completions', ['speaker', 'vendor/seer']],
    ['/v1/chat/completions', ['speaker', 'vendor/seer']],
    ['/embeddings', ['toolbox']],
    ['/rerank', ['toolbox']],
    ['/tokenize', ['toolbox']],
    ['/detokenize', ['toolbox']],
  ] as const)
    it(`answer GET ${path} with ids`, async () => {
      expect(await (await server.get(path)).json()).to.deep.equal(expected)
    })

  it('answer the root with a text', async () => {
    const answer = await server.get('/', { 'content-type': 'text/plain', accept: 'text/plain' })
    expect(answer.status).to.equal(200)
    expect(await answer.text()).to.equal('Sallyport is running.\n')
  })
})
