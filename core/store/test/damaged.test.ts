import { readFile, stat, utimes, writeFile, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Logger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { errorOf } from '@sallyport/stand-ins/errors'
import { content, sha256 } from '@sallyport/stand-ins/files'
import { useHub } from './support/hub-fixture.js'

const weights = content(5000)
const dictionary = content(300)
const commit = 'c'.repeat(40)

const file = (bytes: Buffer, member: string) =>
  `{ size: ${bytes.length}, sha256: ${sha256(bytes)}, sources: [{ hub: o/r@${commit}, member: ${member} }] }`
const entry = `{ description: d, capabilities: [chat], licence: MIT,
    files: { model: ${file(weights, 'm.onnx')}, dictionary: ${file(dictionary, 'd.txt')} } }`

describe('a file of the cache that has changed', () => {
  const fixture = useHub()
  const warnings: object[] = []
  const { logger: silent } = recordingLogger()

  const store = (offline = false) => {
    const logger: Logger = {
      ...silent,
      warn: (fields, message) => void warnings.push({ ...fields, message }),
      child: () => logger,
    }
    return fixture.storeWith({}, { catalogues: [join(fixture.directory, 'models.yaml')], offline, logger })
  }
  const blob = (bytes: Buffer) => join(fixture.home, 'blobs', 'sha256', sha256(bytes))

  /** One byte, in place: name, size and inode stay. */
  const damage = async (path: string) => {
    const bytes = await readFile(path)
    bytes[50]! ^= 1
    await chmod(path, 0o644)
    await writeFile(path, bytes)
  }

  beforeEach(async () => {
    const { hub, directory } = fixture
    hub.files.set('o/r/m.onnx', weights).set('o/r/d.txt', dictionary).set('p/q/n.gguf', content(100))
    warnings.length = 0
    await writeFile(join(directory, 'models.yaml'), `models:\n  one: ${entry}\n  other: ${entry}\n`)
  })

  for (const [name, bytes] of Object.entries({ model: weights, dictionary }))
    it(`is fetched again, and the log says so once for the models that share it: ${name}`, async () => {
      await store().resolve('one')
      await damage(blob(bytes))
      for (const model of ['one', 'other']) {
        const { files } = await store().resolve(model)
        expect(await readFile(files['model']!)).to.deep.equal(weights)
        expect(await readFile(files['dictionary']!)).to.deep.equal(dictionary)
      }
      const message = 'a file is damaged in the cache, its checksum is wrong: fetching it again'
      expect(warnings).to.deep.equal([{ model: 'one', file: name, message }])
    })

  it('is an error that says what to do where nothing may be fetched', async () => {
    await store().resolve('one')
    await damage(blob(weights))
    const { code, message } = await errorOf(store(true).resolve('one'))
    expect(code).to.equal('model_files')
    expect(message).to.match(/^model one: its file model is damaged in the cache \(expected sha256 .*offline/)
    expect((await stat(blob(weights))).size).to.equal(weights.length)
  })

  it('is found in a pinned repository, too', async () => {
    const { files } = await store().resolve('hf:p/q/n.gguf')
    const good = await readFile(files['model']!)
    await damage(blob(good))
    expect(await readFile((await store().resolve('hf:p/q/n.gguf')).files['model']!)).to.deep.equal(good)
    expect(warnings).to.have.length(1)
  })

  it('is read through once; what has not changed is not read again', async () => {
    const [then, later] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
    await store().resolve('one')
    await utimes(blob(weights), then, then)
    await store().resolve('one')
    // Another content, and nothing that is looked at has changed: only who reads all of it can tell.
    await damage(blob(weights))
    await utimes(blob(weights), then, then)
    await store().resolve('one')
    expect(warnings).to.deep.equal([])
    const [verified] = (await store().inventory.verify(['one'])).filter(({ name }) => name === 'model')
    expect(verified?.state).to.equal('damaged')
    await utimes(blob(weights), later, later)
    await store().resolve('one')
    expect(warnings).to.have.length(1)
  })
})
