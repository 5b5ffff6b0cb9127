import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from './batching/items.js'

/** Milliseconds of work after which others get their turn. */
const longestHold = 10

/**
 * One turn of the event loop, between two steps of long work: others' requests are read, and a cancellation that is on
 * its way arrives. @throws the signal's reason
 */
export const untilWanted = async (signal: AbortSignal): Promise<void> => {
  await nextTurn()
  signal.throwIfAborted()
}

/** What the steps make; the event loop turns between them when they have taken some time. @throws the signal's reason */
export const paced = async <Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> => {
  let held = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - held < longestHold) continue
    await untilWanted(signal)
    held = performance.now()
  }
}
