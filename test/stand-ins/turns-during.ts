import { setImmediate } from 'node:timers/promises'

/** Resolves when the event loop has turned so often while the work was under way; false where that ended before. */
export const turnsDuring = async (work: Promise<unknown>, turns: number): Promise<boolean> => {
  const progress = { ended: false }
  const end = () => void (progress.ended = true)
  work.then(end, end)
  for (let turn = 0; turn < turns && !progress.ended; turn += 1) await setImmediate()
  return !progress.ended
}
