import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { temporaryDirectories } from '@sallyport/stand-ins/files'
import { Cache } from '../src/cache.js'
import { LockFile } from '../src/lock-file.js'

const temporary = temporaryDirectories()
const [first, second] = ['a'.repeat(40), 'b'.repeat(40)]
const file = { size: 1, sha256: 'c'.repeat(64) }

describe('the lock file', () => {
  const open = async () => {
    const directory = await temporary()
    const path = join(directory, 'sallyport.lock')
    return { path, lock: new LockFile(path, new Cache(join(directory, 'home'))) }
  }

  it('holds nothing before it is written', async () => {
    expect(await (await open()).lock.read()).to.deep.equal({})
  })

  it('takes in files of the same commit, and forgets those of another', async () => {
    const { path, lock } = await open()
    await lock.add('o/r@main', { commit: first, files: { a: file } })
    await lock.add('o/s@main', { commit: second, files: { x: 'absent' } })
    await lock.add('o/r@main', { commit: first, files: { b: file } })
    expect((await lock.read())['o/r@main']).to.deep.equal({ commit: first, files: { a: file, b: file } })
    await lock.add('o/r@main', { commit: second, files: { a: file } })
    expect(await lock.read()).to.deep.equal({
      'o/r@main': { commit: second, files: { a: file } },
      'o/s@main': { commit: second, files: { x: 'absent' } },
    })
    expect(await readFile(path, 'utf8')).to.match(/^# What references/)
  })

  const faults: [what: string, text: string, message: RegExp][] = [
    ['no YAML', 'version: [', /sallyport\.lock:/],
    ['another version', 'version: 2\nhub: {}', /version/],
    [
      'a digest that is none',
      `version: 1\nhub:\n  o/r@main: { commit: ${first}, files: { a: { size: 1, sha256: ../x } } }`,
      /sha256|files/,
    ],
    ['a branch in place of a commit', 'version: 1\nhub:\n  o/r@main: { commit: main, files: {} }', /commit/],
    ['an unknown key', 'version: 1\nhubs: {}', /did you mean "hub"/],
  ]
  for (const [what, text, message] of faults)
    it(`refuses ${what}`, async () => {
      const { path, lock } = await open()
      await writeFile(path, text)
      const error = await errorOf(lock.read())
      expect(error.code).to.equal('config_invalid')
      expect(error.message).to.match(message)
    })

  it('says so when it cannot be written', async () => {
    const directory = await temporary()
    const lock = new LockFile(join(directory, 'nowhere/sallyport.lock'), new Cache(join(directory, 'home')))
    const error = await errorOf(lock.add('o/r@main', { commit: first, files: { a: file } }))
    expect(error.message).to.match(/sallyport\.lock: cannot be written.*or name a commit/)
  })
})
