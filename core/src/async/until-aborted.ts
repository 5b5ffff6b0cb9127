/** Work under a signal that may not listen to it, and signals that much work listens to. */

import { setMaxListeners } from 'node:events'

/** The promise's value, or the signal's reason, whichever is first: a backend that ignores the signal holds nobody. */
export const untilAborted = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  // Nobody else listens to it when the signal is first.
  promise.catch(() => undefined)
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

/** The stream's pieces until the signal is aborted; the source is told to end in every case. */
export async function* streamUntilAborted<Piece>(
  stream: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const iterator = stream[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const result = await untilAborted(iterator.next(), signal)
      if (result.done) {
        finished = true
        return
      }
      yield result.value
    }
  } finally {
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The signal, which does not warn of many listeners: each of the checks of a request listens while it runs. */
export const shared = (signal: AbortSignal): AbortSignal => {
  setMaxListeners(0, signal)
  return signal
}
