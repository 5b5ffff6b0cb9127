import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FileLock } from './file-lock.js'

const pollEvery = 200

/** Another process took a lock away from this one, which it thought dead. */
export class LockLost extends Error {}

export interface LockOptions {
  readonly signal: AbortSignal | undefined
  /** Called once when another process holds a lock. */
  readonly onWait: () => void
}

/**
 * Runs the work while holding one lock per key, between processes. Locks are taken in one order everywhere, so that two
 * processes which need the same ones in part cannot block each other. The work's signal is also aborted when a lock is
 * lost, as after a long sleep of the machine.
 */
export const withLocks = async <Result>(
  directory: string,
  keys: readonly string[],
  { signal, onWait }: LockOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const lost = new AbortController()
  const held: FileLock[] = []
  let waited = false
  const wait = async () => {
    if (!waited) onWait()
    waited = true
    await sleep(pollEvery)
    signal?.throwIfAborted()
  }
  try {
    for (const key of [...new Set(keys)].sort()) held.push(await acquire(join(directory, key), wait, lost))
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    await Promise.all(held.map((lock) => lock.release()))
  }
}

const acquire = async (path: string, wait: () => Promise<void>, lost: AbortController): Promise<FileLock> => {
  for (;;) {
    const lock = await FileLock.tryAcquire(path, () => lost.abort(new LockLost()))
    if (lock) return lock
    await wait()
  }
}
