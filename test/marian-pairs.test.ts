import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import { translation } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import onnx from '@sallyport/onnx'
import { HubStandIn } from '@sallyport/stand-ins/hub'
import translationPlugin from '@sallyport/translation'
import { expect } from 'chai'
import { errorOf, rejection } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { marianRepository } from './support/marian-repository.js'

const pairs = [
  { source: 'en', target: 'de' },
  { source: 'en', target: 'fr' },
  { source: 'de', target: 'fr' },
]
const text = 'the old cat sees the house'

describe('Marian models of pairs that are asked for', () => {
  const hub = new HubStandIn()
  const outside = { home: process.env['SALLYPORT_HOME'], endpoint: process.env['HF_ENDPOINT'] }
  const { path: folder } = useTemporaryDirectory()
  const kernels: Kernel[] = []

  before(async () => {
    await hub.start()
    Object.assign(process.env, { SALLYPORT_HOME: join(folder, 'home'), HF_ENDPOINT: hub.origin })
    for (const [seed, name] of ['en-de', 'en-fr'].entries())
      for (const [file, content] of Object.entries(marianRepository(seed + 1).files))
        hub.files.set(`Xenova/opus-mt-${name}/${file}`, content)
  })
  beforeEach(() => {
    hub.requests.length = 0
    hub.faults = {}
  })
  after(async () => {
    for (const kernel of kernels) await kernel.stop()
    for (const [name, value] of [
      ['SALLYPORT_HOME', outside.home],
      ['HF_ENDPOINT', outside.endpoint],
    ] as const)
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    await hub.stop()
  })

  const start = async (options: object = {}, more: object = {}) => {
    const models = { pairs: { backend: 'marian-pairs', options: { pairs, beams: 1, ...options } } }
    const kernel = await createKernel(
      { plugins: [onnx, translationPlugin], models, ...more },
      { baseDirectory: folder },
    )
    kernels.push(kernel)
    return kernel.get(translation, 'pairs')
  }

  it('are fetched when their pair is first asked for, once, and for nobody before', async () => {
    const service = await start()
    expect((await service.pairs({})).pairs).to.deep.equal(pairs)
    expect(hub.requests).to.deep.equal([])
    const request = { text, source: 'en-GB', target: 'de' }
    const answers = await Promise.all([service.translate(request), service.translate(request)])
    expect(new Set(answers.map(({ candidates }) => candidates[0]?.translation)).size).to.equal(1)
    expect(answers[0].candidates[0]).to.include({ model: 'pairs', status: 'success' })
    const fetched = hub.downloads.map(({ url }) => url.split('/').slice(2, 3).concat(url.split('/').slice(5)).join('/'))
    expect(fetched.toSorted()).to.deep.equal(
      ['config.json', 'onnx/decoder_model_merged.onnx', 'onnx/encoder_model.onnx', 'tokenizer.json'].map(
        (name) => `opus-mt-en-de/${name}`,
      ),
    )
  }).timeout(60_000)

  it('are fetched no more when they are there, and give way to others', async () => {
    const service = await start({ loaded: 1 }, { store: { offline: false } })
    const first = await service.translate({ text, source: 'en', target: 'de' })
    expect(hub.downloads).to.deep.equal([])
    const other = await service.translate({ text, source: 'en', target: 'fr' })
    expect(other.candidates[0]?.translation).not.to.equal(first.candidates[0]?.translation)
    expect(await service.translate({ text, source: 'en', target: 'de' })).to.deep.equal(first)
  }).timeout(60_000)

  it('are unavailable where the hub does not have them, and the others are served', async () => {
    const service = await start()
    const error = await errorOf(service.translate({ text, source: 'de', target: 'fr' }))
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.include('de to fr').and.not.to.include(hub.origin)
    const asked = hub.requests.length
    expect(await errorOf(service.translate({ text, source: 'de', target: 'fr' }))).to.include({ retryAfter: 60 })
    expect(hub.requests).to.have.length(asked)
    expect((await service.translate({ text, source: 'en', target: 'de' })).candidates).to.have.length(1)
  }).timeout(60_000)

  it('are not fetched where the configuration forbids it', async () => {
    const service = await start({ repository: 'hf:Other/opus-mt-{source}-{target}' }, { store: { offline: true } })
    expect(await errorOf(service.translate({ text, source: 'en', target: 'de' }))).to.include({
      code: 'model_unavailable',
    })
    expect(hub.requests).to.deep.equal([])
  })

  it('are fetched on where the one who asked first has gone', async () => {
    hub.faults = { slow: 5 }
    const service = await start({ repository: 'hf:Xenova/opus-mt-{source}-{target}@slow' })
    const abort = new AbortController()
    const request = { text, source: 'en', target: 'de' }
    const asked = rejection(service.translate(request, { signal: abort.signal }))
    setTimeout(() => abort.abort(new Error('enough')), 20)
    expect(await asked).to.have.property('message', 'enough')
    expect((await service.translate(request)).candidates).to.have.length(1)
  }).timeout(60_000)

  it('need the plugin that runs them', async () => {
    const models = { pairs: { backend: 'marian-pairs', options: { pairs } } }
    const error = await errorOf(createKernel({ plugins: [translationPlugin], models }))
    expect(error.message).to.include('@sallyport/onnx')
  })

  runConformance(translation, {
    create: () => start(),
    facts: {
      translations: [
        { text, source: 'en', target: 'de', expected: '' },
        { text, source: 'en', target: 'fr', expected: '' },
      ],
    },
  })
})
