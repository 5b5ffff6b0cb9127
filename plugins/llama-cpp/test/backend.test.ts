import { expect } from 'chai'
import { isSallyportError, silentLogger } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { estimate, LlamaCppBackend } from '../src/backend.js'
import { Engine } from '../src/engine/engine.js'
import { loadOptions } from './support/fixtures.js'
import { parrot } from './support/parrot.js'

describe('a backend', () => {
  const { write: file } = useTemporaryDirectory()
  const load = Engine.load.bind(Engine)
  let stopped = 0

  before(() => {
    Engine.load = async (options) => {
      const engine = await load(options)
      const stop = engine.stop.bind(engine)
      engine.stop = () => {
        stopped += 1
        return stop()
      }
      return engine
    }
  })
  beforeEach(() => (stopped = 0))
  after(() => (Engine.load = load))

  const create = (template?: string) => {
    const model = file(
      'model.gguf',
      parrot([{ chunks: ['Hello ', 'there'] }], template === undefined ? {} : { template }),
    )
    return new LlamaCppBackend({ id: 'parrot', files: { model }, options: loadOptions }, silentLogger)
  }

  it('frees its engine once, however often it is stopped', async () => {
    const backend = create()
    await backend.load()
    await Promise.all([backend.stop(), backend.stop()])
    await backend.stop()
    expect(stopped).to.equal(1)
  })

  it('whose load failed has freed its engine, once', async () => {
    const backend = create('{% if %}')
    const error: unknown = await backend.load().catch((thrown: unknown) => thrown)
    expect(isSallyportError(error) && error.code).to.equal('model_invalid')
    await backend.stop()
    expect(stopped).to.equal(1)
  })

  it('whose file has been removed names the file, when it is loaded and when its memory is estimated', async () => {
    const spec = { id: 'parrot', files: { model: '/removed/model.gguf' }, options: loadOptions }
    const problem = 'its file "model" is missing: put it back, or restart the server'
    for (const work of [() => new LlamaCppBackend(spec, silentLogger).load(), async () => estimate(spec)]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'model_files' }).with.nested.property('details.problem', problem)
    }
  })

  it('that is stopped while it loads frees its engine afterwards', async () => {
    const backend = create()
    const loading = backend.load()
    await backend.stop()
    await loading
    await backend.stop()
    expect(stopped).to.equal(1)
  })
})
