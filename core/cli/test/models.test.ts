import { chmod, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import {
  chat,
  extraction,
  inference,
  tokenClassification,
  transcription,
  silentLogger,
  definePlugin,
} from '@sallyport/core'
import type { Capability, ModelBackend } from '@sallyport/core'
import { ModelStore } from '@sallyport/store'
import { errorOf } from '@sallyport/stand-ins/errors'
import { content, filesBelow, sha256, temporaryDirectories } from '@sallyport/stand-ins/files'
import { HubStandIn } from '@sallyport/stand-ins/hub'
import { modelsCommand } from '../src/models.js'

const temporary = temporaryDirectories()
const weights = content(5000)
const commit = 'c'.repeat(40)

const catalogueText = `
models:
  a-model:
    description: d
    capabilities: [chat, tokens]
    contextLength: 77
    licence: CC-BY-4.0
    attribution: by the authors
    files:
      model:
        size: ${weights.length}
        sha256: ${sha256(weights)}
        sources: [{ hub: o/r@${commit}, member: m.gguf }]
  odd-model:
    description: d
    capabilities: [divination]
    licence: MIT
    files: { model: { size: 1, sha256: ${sha256(content(1))}, sources: [{ hub: o/r@${commit}, member: m.gguf }] } }
`

interface Listed {
  reference: string
  backends?: string[]
}

class Nothing implements ModelBackend {
  load = () => Promise.resolve({ provides: [] })
}

const of = (...capabilities: Capability[]) => ({ description: 'of the tests', capabilities, class: Nothing })

const plugin = definePlugin({
  name: 'backends',
  backends: {
    chatter: of(chat),
    tagger: { ...of(tokenClassification), formats: ['.gguf', '.onnx'] },
    'gguf-transcriber': { ...of(transcription), formats: ['.gguf'] },
    'dictionary-reader': { ...of(extraction), files: { model: { names: ['m'] }, dictionary: { names: ['d'] } } },
    remote: { ...of(inference), files: 'none' },
    torch: { ...of(inference), formats: ['.pth'], files: { model: { names: ['w.pth'] } } },
    graph: {
      ...of(inference),
      formats: ['.onnx'],
      files: {
        model: { names: ['onnx/model.onnx', 'model.onnx'] },
        vocabulary: { names: ['vocabulary.txt'] },
        config: { names: ['config.json'], optional: true },
      },
    },
  },
})

describe('sallyport models', () => {
  let hub: HubStandIn
  let directory: string
  const before = { ...process.env }

  beforeEach(async () => {
    hub = await new HubStandIn().start()
    hub.files.set('o/r/m.gguf', weights).set('p/q/n.gguf', content(100))
    hub.files
      .set('p/g/model.onnx', content(300))
      .set('p/g/vocabulary.txt', content(30))
      .set('p/g/other.onnx', content(7))
    directory = await temporary()
    await writeFile(join(directory, 'models.yaml'), catalogueText)
    Object.assign(process.env, { HF_ENDPOINT: hub.origin, SALLYPORT_HOME: join(directory, 'home') })
  })
  afterEach(async () => {
    for (const name of ['HF_ENDPOINT', 'SALLYPORT_HOME']) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = before[name]
    }
    await hub.stop()
  })

  const context = (models: object = {}) => ({
    store: { catalogues: ['models.yaml'], offline: false },
    baseDirectory: directory,
    models,
    plugins: [{ use: plugin }],
  })
  const run = async (
    name: string,
    args: string[] = [],
    options: object = {},
    models: object = {},
  ): Promise<string[]> => {
    const lines: string[] = []
    const command = modelsCommand.commands?.find((each) => each.name === name)
    await command?.run?.(
      { arguments: args, options: { ...options } },
      {
        options: context(models),
        home: directory,
        logger: silentLogger,
        print: (line) => lines.push(stripVTControlCharacters(line)),
      },
    )
    return lines
  }
  /** But for what is remembered of files that lie elsewhere. */
  const cached = async () => (await filesBelow(join(directory, 'home'))).filter((path) => !path.startsWith('local/'))
  /** But for the model of the catalogue that comes with its plugin. */
  const verify = async () => (await run('verify')).filter((line) => !/^good +(?:guard|claims) /.test(line))
  const blob = (content: Buffer) => join(directory, 'home/blobs/sha256', sha256(content))

  it('list shows what there is, in columns', async () => {
    const row = async () => (await run('list')).find((line) => line.includes('a-model'))
    expect(await row()).to.match(/^a-model +- +5\.00 kB {2}CC-BY-4\.0 +.*chatter.* {2}chat, tokens$/)
    await run('pull', ['a-model', 'hf:p/q/n.gguf'])
    expect(await row()).to.match(/^a-model +cached /)
    expect((await run('list')).find((line) => line.startsWith('hf:p/q'))).to.match(/cached +100 B +see the hub/)
    expect(JSON.parse((await run('list', [], { json: true })).join('\n'))).to.be.an('array')
  })

  it('list says of each model which backends of this installation can serve it', async () => {
    const models = JSON.parse((await run('list', [], { json: true })).join('\n')) as Listed[]
    const serves = (backend: string) =>
      models.filter(({ backends = [] }) => backends.includes(backend)).map(({ reference }) => reference)
    expect(serves('chatter')).to.have.members(['smollm2-135m-instruct', 'a-model'])
    expect(serves('tagger')).to.deep.equal(['rampart'])
    for (const backend of ['gguf-transcriber', 'dictionary-reader', 'remote'])
      expect(serves(backend), backend).to.deep.equal([])
  })

  it('list marks what nothing here can serve', async () => {
    expect((await run('list')).find((line) => line.startsWith('odd-model'))).to.match(/ none installed +divination$/)
  })

  it('pull says where the files are and whom to name', async () => {
    const lines = await run('pull', ['a-model'])
    expect(lines[0]).to.equal('ready a-model')
    expect(lines[1]).to.match(/^ {2}\/.*\/models\/a-model-[0-9a-f]{12}\/model$/)
    expect(lines[2]).to.equal('  CC-BY-4.0: by the authors')
    const [json = ''] = await run('pull', ['a-model'], { json: true })
    expect(JSON.parse(json)).to.deep.equal({ id: 'a-model', files: { model: lines[1]?.trim() } })
  })

  it('pull without a reference fetches what the configuration needs', async () => {
    const models = { one: { source: 'hf:p/q/n.gguf' }, 'a-model': {}, remote: {} }
    expect((await run('pull', [], {}, models)).filter((line) => line.startsWith('ready'))).to.deep.equal([
      'ready hf:p/q/n.gguf',
      'ready a-model',
    ])
    expect((await errorOf(run('pull', [], {}, { remote: {} }))).message).to.include('no model that is made of files')
  })

  const namesOf = (lines: readonly string[]) => lines.slice(1).map((path) => path.replace(/^.*-[0-9a-f]{12}\//, ''))

  it('pull fetches of a repository what a backend that is installed wants of it', async () => {
    expect(namesOf(await run('pull', ['hf:p/g']))).to.deep.equal(['model.onnx', 'vocabulary.txt'])
    expect(namesOf(await run('pull', ['hf:p/g/other.onnx']))).to.have.members(['other.onnx', 'vocabulary.txt'])
    expect((await errorOf(run('pull', ['hf:p/q']))).message).to.include('no file in it: there are "n.gguf"')
  })

  it('pull fetches of a repository what its backend in the configuration wants', async () => {
    const models = { mine: { backend: 'dictionary-reader', source: 'hf:p/d' } }
    hub.files.set('p/d/m', content(20)).set('p/d/d', content(10)).set('p/d/model.onnx', content(5))
    expect(namesOf(await run('pull', [], {}, models))).to.deep.equal(['m', 'd'])
    expect(namesOf(await run('pull', ['hf:p/d'], {}, models))).to.deep.equal(['m', 'd'])
    hub.requests.length = 0
    const offline = new ModelStore({ baseDirectory: directory, offline: true })
    const { files } = plugin.backends?.['dictionary-reader'] ?? {}
    const wanted = typeof files === 'object' ? files : {}
    expect(Object.keys((await offline.resolve('hf:p/d', { wanted })).files)).to.deep.equal(['model', 'dictionary'])
    expect(hub.requests).to.be.empty
  })

  it('list shows what reads a repository that is pinned', async () => {
    await run('pull', ['hf:p/g'])
    const row = (await run('list')).find((line) => line.startsWith('hf:p/g'))
    expect(row).to.match(/cached +330 B +see the hub +.*graph.* {2}as loaded$/)
    expect(row).not.to.contain('torch')
  })

  it('rm leaves what another cached model is made of, and says so', async () => {
    hub.files.set('p/c/copy.gguf', weights).set('p/c/own.gguf', content(50))
    await run('pull', ['a-model', 'hf:p/c/copy.gguf', 'hf:p/c/own.gguf'])
    expect(await run('rm', ['hf:p/c'])).to.deep.equal([
      'removed 1 file, 50 B',
      'kept 1 file, 5.00 kB, of which a-model is made too: name it as well to remove them',
    ])
    expect(await run('verify', ['a-model'])).to.deep.equal(['good  a-model  model'])
    expect(await run('rm', ['a-model']), 'what is left of the other model is not one').to.deep.equal([
      'removed 1 file, 5.00 kB',
    ])
    expect(await cached()).to.deep.equal([])
  })

  it('rm leaves what another file of the same repository is made of', async () => {
    const twice = content(5000)
    hub.files.set('p/c/copy.gguf', twice).set('p/c/again.gguf', twice)
    await run('pull', ['hf:p/c/copy.gguf', 'hf:p/c/again.gguf'])
    expect((await run('rm', ['hf:p/c/copy.gguf']))[0]).to.match(/^kept 1 file, 5\.00 kB, of which hf:p\/c is made too/)
    expect(await run('rm', ['hf:p/c'])).to.deep.equal(['removed 1 file, 5.00 kB'])
  })

  it('rm removes what is shared where it is damaged, so that it is fetched again', async () => {
    hub.files.set('p/c/copy.gguf', weights)
    await run('pull', ['a-model', 'hf:p/c/copy.gguf'])
    await chmod(blob(weights), 0o644)
    await writeFile(blob(weights), content(5000))
    expect(await run('rm', ['hf:p/c/copy.gguf'])).to.deep.equal(['removed 1 file, 5.00 kB'])
  })

  it('rm frees what had several names, and what an earlier one left under them', async () => {
    hub.files.set('p/c/copy.gguf', weights)
    await run('pull', ['a-model', 'hf:p/c/copy.gguf'])
    await rm(blob(weights), { force: true })
    await run('pull', ['a-model'])
    expect(await run('verify')).to.include.members([
      '1 file, 5.00 kB, of no model of the catalogue or of this project: ' +
        'unless another project needs them, remove them with sallyport models rm --unused',
    ])
    expect(await run('rm', [], { unused: true })).to.deep.equal(['removed 1 file, 5.00 kB'])
    expect(await run('rm', ['a-model', 'hf:p/c'])).to.deep.equal(['removed 1 file, 5.00 kB'])
    expect(await cached()).to.deep.equal([])
  })

  it('verify finds what is damaged, and says what to do', async () => {
    expect(await verify()).to.deep.equal([])
    await run('pull', ['a-model'])
    expect(await verify()).to.deep.equal(['good  a-model  model'])
    await chmod(blob(weights), 0o644)
    await writeFile(blob(weights), content(5000))
    const lines: string[] = []
    const error = await errorOf(run('verify').then((output) => lines.push(...output)))
    expect(error.message).to.include('sallyport models rm a-model && sallyport models pull a-model')
    await run('rm', ['a-model'])
    await run('pull', ['a-model'])
    expect(await verify()).to.deep.equal(['good  a-model  model'])
    expect((await errorOf(run('rm', ['a-model']).then(() => run('verify', ['a-model'])))).message).to.include(
      'not in the cache; fetch it: sallyport models pull a-model',
    )
  })

  it('rm leaves what lies outside the cache', async () => {
    const [, path = ''] = await run('pull', ['guard'])
    await run('rm', ['guard']).catch(() => undefined)
    expect((await stat(path.trim())).size).to.be.above(1_000)
  })

  it('a file that lost its end is fetched again without being asked', async () => {
    await run('pull', ['a-model'])
    await chmod(blob(weights), 0o644)
    await truncate(blob(weights), 100)
    const [, path = ''] = await run('pull', ['a-model'])
    expect((await stat(path.trim())).size).to.equal(5000)
  })

  it('rm removes files and keeps pins', async () => {
    await run('pull', ['a-model', 'hf:p/q/n.gguf'])
    expect(await run('rm', ['hf:p/q/n.gguf'])).to.deep.equal(['removed 1 file, 100 B'])
    expect(await run('rm', ['hf:p/q'])).to.deep.equal(['nothing to remove'])
    await run('rm', ['a-model'])
    expect(await cached()).to.deep.equal([])
    expect(await filesBelow(directory)).to.include('sallyport.lock')
  })

  it('rm --unused removes what nobody names any more', async () => {
    await run('pull', ['a-model', 'hf:p/q/n.gguf'])
    await writeFile(join(directory, 'sallyport.lock'), 'version: 1\nhub: {}\n')
    expect(await run('rm', [], { unused: true })).to.deep.equal(['removed 1 file, 100 B'])
    expect(await verify()).to.deep.equal(['good  a-model  model'])
  })

  it('refuses what stands for nothing', async () => {
    for (const [command, reference, message] of [
      ['rm', 'hf:p/q', 'is not pinned'],
      ['verify', './a.gguf', 'a file of yours'],
      ['rm', 'a-mudel', 'did you mean "a-model"'],
    ] as const)
      expect((await errorOf(run(command, [reference]))).message).to.include(message)
    expect((await errorOf(run('rm'))).message).to.include('name what to remove')
  })

  it('a model is located without the network', async () => {
    const store = ModelStore.fromConfig(context())
    const { catalogueEntry: entry, ...located } = await store.locate('a-model')
    expect(located).to.deep.equal({ files: {}, missing: [{ name: 'model', size: 5000 }] })
    expect(entry).to.include({ id: 'a-model', contextLength: 77 })
    expect(await store.locate('hf:p/q/n.gguf')).to.deep.equal({ files: {}, missing: [{ name: 'hf:p/q/n.gguf' }] })
    await run('pull', ['a-model'])
    expect((await ModelStore.fromConfig(context()).locate('a-model')).files.model).to.match(/models\/a-model-/)
    expect(hub.downloads).to.have.length(1)
  })
})
