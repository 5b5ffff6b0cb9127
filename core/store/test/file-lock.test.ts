import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryDirectories } from '@sallyport/stand-ins/files'
import { FileLock } from '../src/file-lock.js'
import { withLocks } from '../src/locks.js'

const temporary = temporaryDirectories()
const nothing = () => undefined

/** Taken, released, and taken again by whoever waits. */
const acquire = async (path: string): Promise<FileLock> => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const lock = await FileLock.tryAcquire(path, nothing)
    if (lock) return lock
  }
  expect.fail('could not be taken')
}

/** A lock that is held, and how often it was lost once it has looked again. */
const lossesOf = async (path: string) => {
  let lost = 0
  const lock = await FileLock.tryAcquire(path, () => (lost += 1))
  const { showLife } = lock as unknown as { readonly showLife: () => Promise<void> }
  return {
    release: () => lock?.release(),
    losses: async () => {
      await showLife.call(lock)
      return lost
    },
  }
}

describe('locks between processes', () => {
  it('are held by one at a time', async () => {
    const path = join(await temporary(), 'lock')
    const first = await acquire(path)
    expect(await FileLock.tryAcquire(path, nothing)).to.equal(undefined)
    await first.release()
    await (await acquire(path)).release()
    expect(await readdir(join(path, '..'))).to.be.empty
  })

  it('of a process that died are free at once', async () => {
    const path = join(await temporary(), 'lock')
    await (await acquire(path)).release()
    const first = await acquire(path)
    const holder = JSON.parse(await readFile(path, 'utf8')) as object
    const { pid } = spawnSync(process.execPath, ['--version'])
    await writeFile(path, JSON.stringify({ ...holder, pid, token: 'dead' }))
    const second = await acquire(path)
    await first.release()
    expect(await FileLock.tryAcquire(path, nothing), 'the first one released what was no longer its').to.equal(
      undefined,
    )
    await second.release()
  })

  it('are lost when another holds them or nobody does, and not while they cannot be read', async () => {
    const path = join(await temporary(), 'lock')
    const aside = `${path}.aside`
    const unreadable = async () => {
      await rename(path, aside)
      await mkdir(path)
    }
    const mended = async () => {
      await rm(path, { recursive: true })
      await rename(aside, path)
    }
    const cases: [lost: number, change: () => Promise<unknown>][] = [
      [0, () => Promise.resolve()],
      [0, unreadable],
      [0, mended],
      [1, () => writeFile(path, JSON.stringify({ machine: 'elsewhere', pid: 1, token: 'x' }))],
    ]
    const held = await lossesOf(path)
    for (const [lost, change] of cases) {
      await change()
      expect(await held.losses()).to.equal(lost)
    }
    await rm(path)
    const gone = await lossesOf(path)
    await rm(path)
    expect(await gone.losses()).to.equal(1)
    await Promise.all([held.release(), gone.release()])
  })

  it('of another machine are free when it has been silent for long', async () => {
    const path = join(await temporary(), 'lock')
    await writeFile(path, JSON.stringify({ machine: 'elsewhere', pid: 1, token: 'x' }))
    expect(await FileLock.tryAcquire(path, nothing)).to.equal(undefined)
    expect(await FileLock.tryAcquire(path, nothing)).to.equal(undefined)
    const old = new Date(Date.now() - 60_000)
    await utimes(path, old, old)
    await (await acquire(path)).release()
  })

  it('that hold nothing readable are free only after a while', async () => {
    const path = join(await temporary(), 'lock')
    await writeFile(path, '')
    expect(await FileLock.tryAcquire(path, nothing)).to.equal(undefined)
    expect(await FileLock.tryAcquire(path, nothing)).to.equal(undefined)
  })

  it('do not block those that need the same ones in another order', async () => {
    const directory = await temporary()
    const options = { signal: undefined, onWait: nothing }
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push(`${name} ends`)
    }
    await Promise.all([
      withLocks(directory, ['a', 'b', 'a'], options, work('one')),
      withLocks(directory, ['b', 'c', 'a'], options, work('two')),
    ])
    expect(order).to.have.length(4)
    expect(order[0]?.split(' ')[0], 'one after the other').to.equal(order[1]?.split(' ')[0])
    expect(await readdir(directory)).to.be.empty
  })

  it('are waited for no longer than wanted', async () => {
    const directory = await temporary()
    const lock = await acquire(join(directory, 'a'))
    const controller = new AbortController()
    const reason = new Error('enough')
    const onWait = () => controller.abort(reason)
    const waiting = withLocks(directory, ['a'], { signal: controller.signal, onWait }, () => Promise.resolve())
    expect(await waiting.catch((error: unknown) => error)).to.equal(reason)
    await lock.release()
  })
})
