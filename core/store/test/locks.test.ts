import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { temporaryDirectories } from '@sallyport/stand-ins/files'
import { takeLock, withLocks } from '../src/locks.js'

const temporary = temporaryDirectories()
const nothing = () => undefined
const elsewhere = JSON.stringify({ machine: 'elsewhere', pid: 1, token: 'x' })

/** Taken at once, or when what was left of a dead holder is gone. @returns what releases it */
const acquire = async (path: string): Promise<() => Promise<void>> => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const release = await takeLock(path, nothing)
    if (release) return release
  }
  expect.fail('could not be taken')
}

describe('locks between processes', () => {
  let path: string
  beforeEach(async () => {
    path = join(await temporary(), 'lock')
  })

  it('are held by one at a time', async () => {
    const release = await acquire(path)
    expect(await takeLock(path, nothing)).to.equal(undefined)
    await release()
    await (
      await acquire(path)
    )()
    expect(await readdir(join(path, '..'))).to.be.empty
  })

  it('of a process that died are free at once, and not released by the one that lost them', async () => {
    const release = await acquire(path)
    const holder = JSON.parse(await readFile(path, 'utf8')) as object
    const { pid } = spawnSync(process.execPath, ['--version'])
    await writeFile(path, JSON.stringify({ ...holder, pid, token: 'dead' }))
    const releaseSecond = await acquire(path)
    await release()
    expect(await takeLock(path, nothing)).to.equal(undefined)
    await releaseSecond()
  })

  it('are lost when another holds them or nobody does, and not while they cannot be read', async () => {
    let lost = 0
    /** The number of losses that are known a while after the change, at the latest when it is the expected one. */
    const lossesAfter = async (change: () => Promise<unknown>, expected = Infinity) => {
      await change()
      mock.timers.tick(5_000)
      for (let reads = 0; reads < (expected === Infinity ? 10 : 10_000) && lost < expected; reads += 1)
        await readFile(import.meta.filename)
      return lost
    }
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const release = await takeLock(path, () => (lost += 1))
      const aside = `${path}.aside`
      const makeUnreadable = async () => {
        await rename(path, aside)
        await mkdir(path)
      }
      const makeReadable = async () => {
        await rm(path, { recursive: true })
        await rename(aside, path)
      }
      for (const change of [() => Promise.resolve(), makeUnreadable, makeReadable])
        expect(await lossesAfter(change)).to.equal(0)
      expect(await lossesAfter(() => writeFile(path, elsewhere), 1)).to.equal(1)
      await release?.()
      await rm(path)
      await takeLock(path, () => (lost += 1))
      expect(await lossesAfter(() => rm(path), 2)).to.equal(2)
    } finally {
      mock.timers.reset()
    }
  })

  for (const [what, text] of Object.entries({ 'of another machine': elsewhere, 'that hold nothing readable': '' }))
    it(`${what} are free only after a long silence`, async () => {
      await writeFile(path, text)
      expect(await takeLock(path, nothing)).to.equal(undefined)
      expect(await takeLock(path, nothing)).to.equal(undefined)
      const old = new Date(Date.now() - 60_000)
      await utimes(path, old, old)
      await (
        await acquire(path)
      )()
    })

  it('do not block those that need the same ones in another order', async () => {
    const directory = await temporary()
    const options = { signal: undefined, onWait: nothing }
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(name)
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push(name)
    }
    await Promise.all([
      withLocks(directory, ['a', 'b', 'a'], options, work('one')),
      withLocks(directory, ['b', 'c', 'a'], options, work('two')),
    ])
    expect(order.join(' '), 'one after the other').to.match(/^one one two two$|^two two one one$/)
    expect(await readdir(directory)).to.be.empty
  })

  it('are waited for no longer than wanted', async () => {
    const release = await acquire(path)
    const controller = new AbortController()
    const reason = new Error('enough')
    const options = { signal: controller.signal, onWait: () => controller.abort(reason) }
    const waiting = withLocks(join(path, '..'), ['lock'], options, () => Promise.resolve())
    expect(await waiting.catch((error: unknown) => error)).to.equal(reason)
    await release()
  })
})
