import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from './problems.js'

/** A process that died is noticed after this many milliseconds; a living one touches its locks more often. */
const staleAfter = 5_000
const pollEvery = 200

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
  const held: (() => Promise<void>)[] = []
  let waited = false
  const wait = async () => {
    if (!waited) onWait()
    waited = true
    await sleep(pollEvery, undefined, signal ? { signal } : {})
  }
  try {
    for (const key of [...new Set(keys)].sort()) {
      const path = join(directory, key)
      held.push(await acquire(path, wait, (error) => lost.abort(error)))
    }
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    // A lock that was lost cannot be released, and need not be.
    await Promise.allSettled(held.map((release) => release()))
  }
}

const acquire = async (
  path: string,
  wait: () => Promise<void>,
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> => {
  const { lock } = await import('proper-lockfile')
  for (;;)
    try {
      return await lock(path, { realpath: false, stale: staleAfter, onCompromised })
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error
      await wait()
    }
}
