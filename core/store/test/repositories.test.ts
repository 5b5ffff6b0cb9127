import { expect } from 'chai'
import type { HubStandIn } from '@sallyport/stand-ins/hub'
import { errorOf } from '@sallyport/stand-ins/errors'
import { content } from '@sallyport/stand-ins/files'
import { useHub } from './support/hub-fixture.js'

describe('repositories of a hub', () => {
  const fixture = useHub()
  const { storeWith } = fixture
  let hub: HubStandIn

  beforeEach(() => {
    hub = fixture.hub
    hub.files.set('o/r/onnx/m.onnx', content(700_000)).set('o/r/tokenizer.json', Buffer.from('{"model":"x"}'))
  })

  const wanted = {
    model: { names: ['onnx/model.onnx', 'onnx/m.onnx'] },
    'tokenizer.json': { names: ['tokenizer.json'] },
    data: { names: ['onnx/m.onnx_data'], optional: true },
  }

  it('come from one commit, the first name that is there of each', async () => {
    const { files } = await storeWith().resolve('hf:o/r', { wanted })
    expect(Object.keys(files)).to.deep.equal(['model', 'tokenizer.json'])
    expect(files.model?.replace('/onnx/m.onnx', '')).to.equal(files['tokenizer.json']?.replace('/tokenizer.json', ''))
    hub.requests.length = 0
    const again = await storeWith({ HF_HUB_OFFLINE: '1' }).resolve('hf:o/r', { wanted })
    expect(again.files, 'what is absent is known, too').to.deep.equal(files)
    expect(await storeWith().locate('hf:o/r', { wanted })).to.deep.equal({ files, missing: [] })
    expect((await storeWith().locate('hf:o/s', { wanted })).missing).to.deep.equal([{ name: 'hf:o/s' }])
    expect((await errorOf(storeWith().locate('hf:o/r'))).message).to.include('no file in it')
    expect(hub.requests).to.be.empty
  })

  it('are refused before anybody is asked where the weights that are named have another format', async () => {
    const formats = ['.onnx', '.ort']
    for (const ask of ['resolve', 'locate'] as const) {
      const { message } = await errorOf(storeWith()[ask]('hf:o/r/a.gguf', { formats }))
      expect(message).to.include('its weights are a.gguf, and the backend reads .onnx, .ort')
    }
    expect(hub.requests).to.be.empty
    hub.files.set('o/r/onnx/q8.ONNX', content(1000))
    const { files } = await storeWith().resolve('hf:o/r/onnx/q8.ONNX', { formats })
    expect(files.model).to.match(/q8\.ONNX$/)
  })

  it('may have their weights named', async () => {
    hub.files.set('o/r/onnx/q8.onnx', content(1000))
    const { files } = await storeWith().resolve('hf:o/r/onnx/q8.onnx', { wanted })
    expect(files.model).to.match(/q8\.onnx$/)
    expect(Object.keys(files)).to.have.members(['model', 'tokenizer.json'])
  })

  it('are refused when one that is needed is missing', async () => {
    hub.files.delete('o/r/tokenizer.json')
    expect((await errorOf(storeWith().resolve('hf:o/r', { wanted }))).message).to.include('no file tokenizer.json')
  })

  it('are all fetched where a model is split', async () => {
    const parts = [1, 2, 3].map((part) => `q-0000${part}-of-00003.gguf`)
    for (const part of parts) hub.files.set(`o/r/${part}`, content(5000))
    const { files } = await storeWith().resolve('hf:o/r/q-00001-of-00003.gguf')
    expect(Object.keys(files)).to.deep.equal(['model', ...parts.slice(1)])
    const directories = new Set(Object.values(files).map((path) => path.slice(0, path.lastIndexOf('/'))))
    expect(directories.size, 'side by side').to.equal(1)
  })

  const whole = { model: { names: ['text_model.onnx', 'onnx/m.onnx'] } }

  it('are spoken of as they were written, whichever of their files is looked for', async () => {
    const offline = await errorOf(storeWith({ SALLYPORT_OFFLINE: '1' }).resolve('hf:o/r', { wanted: whole }))
    expect(offline.message).to.equal(
      'model hf:o/r: is not in the cache; the store is offline; ' +
        'where there is a network, run: sallyport models pull hf:o/r',
    )
    hub.faults = { status: 503 }
    const broken = await errorOf(storeWith().resolve('hf:o/r', { wanted: whole }))
    expect(broken.message).to.equal('model hf:o/r: the hub answers with status 503')
  })

  it('are refused offline where something of them is missing, if they could be fetched', async () => {
    const [online, offline] = [storeWith(), storeWith({ SALLYPORT_OFFLINE: '1' })]
    const located = await online.locate('hf:o/r', { wanted: whole })
    expect(() => online.requireFetchable('hf:o/r', located)).not.to.throw()
    expect(() => offline.requireFetchable('hf:o/r', located)).to.throw(/hf:o\/r: is not in the cache; the store is off/)
    expect(() => offline.requireFetchable('m', { missing: [{ name: 'model' }] })).to.throw(/not in the cache: model;/)
    expect(() => offline.requireFetchable('m', { missing: [] })).not.to.throw()
  })
})
