import { existsSync } from 'node:fs'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { cacheDirectory, stateDirectory } from '@sallyport/kit/installation'
import { errorOf } from '@sallyport/stand-ins/errors'
import { sha256, temporaryDirectories } from '@sallyport/stand-ins/files'
import { ModelStore } from '../src/store.js'
import { DigestMemory } from '../src/digests.js'

const temporary = temporaryDirectories()

describe('models in files', () => {
  let directory: string
  let store: ModelStore

  beforeEach(async () => {
    directory = await temporary()
    store = new ModelStore({ home: join(directory, 'home'), baseDirectory: directory, environment: {} })
    await mkdir(join(directory, 'w/onnx'), { recursive: true })
    for (const name of ['a.gguf', 'm-00001-of-00002.gguf', 'onnx/model.onnx', 'tokenizer.json'])
      await writeFile(join(directory, 'w', name), name)
  })

  it('are used where they are', async () => {
    for (const reference of ['./w/a.gguf', 'w/a.gguf', 'w/../w/a.gguf', join(directory, 'w/a.gguf')])
      expect((await store.resolve(reference)).files).to.deep.equal({ model: join(directory, 'w/a.gguf') })
    expect((await store.locate('w/a.gguf')).files).to.deep.equal({ model: join(directory, 'w/a.gguf') })
  })

  it('keep the name that they have where they are linked', async () => {
    await symlink(join(directory, 'w'), join(directory, 'link'))
    await symlink('a.gguf', join(directory, 'w/b.gguf'))
    expect((await store.resolve('link/b.gguf')).files.model).to.equal(join(directory, 'w/b.gguf'))
  })

  const wanted = {
    model: { names: ['model.onnx', 'onnx/model.onnx'] },
    'tokenizer.json': { names: ['tokenizer.json'] },
    data: { names: ['model.onnx_data'], optional: true },
  }

  it('come with what the backend wants beside them, or one directory above', async () => {
    const files = {
      model: join(directory, 'w/onnx/model.onnx'),
      'tokenizer.json': join(directory, 'w/tokenizer.json'),
    }
    expect((await store.resolve('./w', { wanted })).files).to.deep.equal(files)
    expect((await store.resolve('w/onnx/model.onnx', { wanted })).files).to.deep.equal(files)
  })

  const refused: [what: string, reference: string, message: RegExp][] = [
    ['there is none', './nope.gguf', /there is no such file; relative paths start at/],
    ['it is a directory', './w', /is a directory: name the file/],
    ['it looks like a repository', 'o/r', /no such file.*: did you mean the repository hf:o\/r of the hub\?$/],
    ['it looks like no repository', './o/r/s', /start at the directory of the configuration$/],
    ['it is an address', 'https://hub.test/o/r/tree/main', /is an address: did you mean the repository hf:o\/r of/],
    ['it is an address of nothing', 'https://hub.test/', /is an address: write hf:owner\/repository/],
    ['a part of it is missing', 'w/m-00001-of-00002.gguf', /m-00002-of-00002\.gguf: there is no such file/],
    ['it is no file', '/dev/null', /is not a file/],
    ['the name is not in the catalogue', 'a.gguf', /is not in the catalogue.*\.\/file/],
    ['the name is almost in the catalogue', 'silero-vat', /: did you mean "silero-vad"\? A file is written with/],
  ]
  for (const [what, reference, message] of refused)
    it(`are refused when ${what}`, async () => {
      const error = await errorOf(store.resolve(reference))
      expect(error.code).to.equal('model_files')
      expect(error.message).to.match(message)
    })

  it('are refused without what the backend wants', async () => {
    const error = await errorOf(
      store.resolve('w/a.gguf', { wanted: { ...wanted, vocabulary: { names: ['v.txt', 'v.json'] } } }),
    )
    expect(error.message).to.include('needs a file beside it: vocabulary (v.txt or v.json)')
  })

  it('are read through once, and again when they have changed', async () => {
    const digests = new DigestMemory(join(directory, 'digests'))
    const path = join(directory, 'w/a.gguf')
    const before = new Date(1_600_000_000_000)
    await utimes(path, before, before)
    expect(await digests.sha256(path)).to.equal(sha256(Buffer.from('a.gguf')))
    await writeFile(path, 'b.gguf')
    await utimes(path, before, before)
    expect(await digests.sha256(path), 'as remembered: same size, time and inode').to.equal(
      sha256(Buffer.from('a.gguf')),
    )
    await utimes(path, before, new Date())
    expect(await digests.sha256(path)).to.equal(sha256(Buffer.from('b.gguf')))
  })
})

describe('directories', () => {
  it('follow SALLYPORT_HOME, then XDG, then the home directory', async () => {
    const directory = await temporary()
    expect(cacheDirectory({ SALLYPORT_HOME: directory, XDG_CACHE_HOME: '/c' })).to.equal(directory)
    expect(cacheDirectory({ XDG_CACHE_HOME: '/c' })).to.equal('/c/sallyport')
    expect(cacheDirectory({ XDG_CACHE_HOME: 'relative' })).to.match(/\/\.cache\/sallyport$/)
    expect(stateDirectory({ XDG_STATE_HOME: directory })).to.equal(join(directory, 'sallyport'))
    expect(existsSync(join(directory, 'sallyport')), 'made by whoever writes there').to.equal(false)
  })
})
