import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * One turn of the event loop, between two steps of long work: others' requests are read, and a cancellation that is on
 * its way arrives. @throws the signal's reason
 */
export const untilWanted = async (signal: AbortSignal): Promise<void> => {
  await nextTurn()
  signal.throwIfAborted()
}
