/** Work under a signal that may not listen to it. */

import { onAbort } from './on-abort.js'

/** The promise's value, or the signal's reason, whichever is first: a backend that ignores the signal holds nobody. */
export const untilAborted = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  // Nobody else listens to it when the signal is first.
  promise.catch(() => undefined)
  signal.throwIfAborted()
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason as Error))
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    stop()
  }
}

/** The stream's pieces until the signal is aborted; the source is told to end in every case. */
export async function* streamUntilAborted<Piece>(
  stream: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  const iterator = stream[Symbol.asyncIterator]()
  let finished = false
  let stop: () => void = () => undefined
  // One listener for all steps: each would cost more than what a short piece goes through.
  const onAbort = () => stop()
  signal.addEventListener('abort', onAbort, { once: true })
  const next = () =>
    new Promise<IteratorResult<Piece>>((resolve, reject) => {
      signal.throwIfAborted()
      stop = () => reject(signal.reason as Error)
      iterator.next().then(resolve, reject)
    })
  try {
    for (let result = await next(); !result.done; result = await next()) yield result.value
    finished = true
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else onAbort(signal, resolve)
  })
