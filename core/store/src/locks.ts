/** Locks between processes. */

import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '@sallyport/core'

/** Milliseconds without a heartbeat after which a holder on another machine counts as dead. */
const maxSilence = 30_000
const heartbeatInterval = 5_000
const pollInterval = 200

/** Another process took this process for dead and took its lock. */
export class LockLost extends Error {}

interface LockOptions {
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
          await sleep(pollInterval)
          signal?.throwIfAborted()
        }
      }
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    await Promise.all(releases.map((release) => release()))
  }
}

/**
 * A lock is a file that exists while the lock is held. A dead holder is noticed at once on the same machine, and
 * elsewhere by missing heartbeats. No signal handlers are installed, since they would concern the whole process.
 * @param onLost called when another process has taken the lock
 * @returns what releases the lock; undefined where another process holds it or has just held it
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
  const beat = async () => {
    if (!(await isTaken(path, own))) return utimes(path, new Date(), new Date()).catch(() => undefined)
    clearInterval(timer)
    onLost()
  }
  const timer = setInterval(() => void beat(), heartbeatInterval).unref()
  return async () => {
    clearInterval(timer)
    if ((await textOf(path)) === own) await rm(path, { force: true })
  }
}

/** Whether the lock is no longer ours. A file that cannot be read just now (too many open files) proves nothing. */
const isTaken = (path: string, own: string): Promise<boolean> =>
  readFile(path, 'utf8').then(
    (text) => text !== own,
    (error: unknown) => systemCode(error) === 'ENOENT',
  )

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined)

const removeIfDead = async (path: string): Promise<void> => {
  const holder = await textOf(path)
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs <= maxSilence && !isDead(holder)) return
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  // Another process may have removed it, too, and hold the lock since: give it back.
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

/** Identifies the machine and process namespace in which a process id is unique. */
const thisMachine = (): string => {
  let namespace: string = process.platform
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has it.
  }
  return `${hostname()} ${namespace}`
}
