import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls at a fixed rate, whether or not earlier calls have returned.
 * @returns milliseconds of each call
 */
export const openLoop = async (perSecond: number, seconds: number, call: () => Promise<void>): Promise<number[]> => {
  const started = performance.now()
  const calls: Promise<number>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = started + (index * 1000) / perSecond
    await sleep(Math.max(0, due - performance.now()))
    calls.push(timed(call))
  }
  return Promise.all(calls)
}

/** Milliseconds of a call. */
export const timed = async (call: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await call()
  return performance.now() - started
}
