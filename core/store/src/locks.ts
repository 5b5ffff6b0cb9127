/** Locks between processes. */

import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '@sallyport/core'

/** Milliseconds. A holder that cannot be asked is taken for dead after this long without a sign of life. */
const staleAfter = 30_000
const signOfLifeEvery = 5_000
const pollEvery = 200

/** Another process took a lock away from this one, which it thought dead. */
export class LockLost extends Error {}

export interface LockOptions {
  readonly signal: AbortSignal | undefined
  /** Called once when another process holds a lock. */
  readonly onWait: () => void
}

/**
 * Runs the work while holding one lock per key. Locks are taken in one order everywhere, so that two processes which
 * need the same ones in part cannot block each other. The work's signal is also aborted when a lock is lost, as after a
 * long sleep of the machine.
 */
export const withLocks = async <Result>(
  directory: string,
  keys: readonly string[],
  { signal, onWait }: LockOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const lost = new AbortController()
  const releases: (() => Promise<void>)[] = []
  let waited = false
  try {
    for (const key of [...new Set(keys)].sort())
      for (let release; !release;) {
        release = await takeLock(join(directory, key), () => lost.abort(new LockLost()))
        if (release) releases.push(release)
        else {
          if (!waited) onWait()
          waited = true
          await sleep(pollEvery)
          signal?.throwIfAborted()
        }
      }
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    await Promise.all(releases.map((release) => release()))
  }
}

/**
 * A lock is a file that is there while it is held. A holder that died is noticed at once on the same machine, elsewhere
 * by its silence. No signal handlers are installed, since those would be everybody's.
 * @param onLost called when it was taken away
 * @returns what releases it; undefined when another holds it, or did until now
 */
export const takeLock = async (path: string, onLost: () => void): Promise<(() => Promise<void>) | undefined> => {
  const own = JSON.stringify({ token: randomUUID(), pid: process.pid, machine: thisMachine() })
  try {
    await writeFile(path, own, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    await removeIfDead(path)
    return undefined
  }
  const showLife = async () => {
    if (!(await isTaken(path, own))) return utimes(path, new Date(), new Date()).catch(() => undefined)
    clearInterval(timer)
    onLost()
  }
  const timer = setInterval(() => void showLife(), signOfLifeEvery).unref()
  return async () => {
    clearInterval(timer)
    if ((await textOf(path)) === own) await rm(path, { force: true })
  }
}

/** Whether another holds it, or nobody. That it cannot be read just now (too many open files) says neither. */
const isTaken = (path: string, own: string): Promise<boolean> =>
  readFile(path, 'utf8').then(
    (text) => text !== own,
    (error: unknown) => systemCode(error) === 'ENOENT',
  )

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

const removeIfDead = async (path: string): Promise<void> => {
  const holder = await textOf(path)
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs <= staleAfter && !isDead(holder)) return
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  // Another process may have done the same and hold the lock since: give it back.
  if ((await textOf(aside)) !== holder) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

/** Whether the holder ran on this machine and does so no longer. */
const isDead = (holder: string | undefined): boolean => {
  try {
    const { machine, pid } = JSON.parse(holder ?? '{}') as { readonly machine?: string; readonly pid?: number }
    if (machine !== thisMachine() || pid === undefined) return false
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
}

/** Where process ids mean the same. */
const thisMachine = (): string => {
  let namespace: string = process.platform
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has it.
  }
  return `${hostname()} ${namespace}`
}
