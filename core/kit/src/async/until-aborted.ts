/** Promises and streams whose source may ignore the signal. */

import { onAbort } from './on-abort.js'

/**
 * The promise's value or the signal's reason, whichever comes first: nobody waits for a backend that ignores the
 * signal.
 */
export const untilAborted = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  // Nobody else handles its rejection when the signal comes first.
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

/** The stream's chunks until the signal is aborted; the source is told to end in every case. */
export async function* streamUntilAborted<Chunk>(
  stream: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const iterator = stream[Symbol.asyncIterator]()
  let finished = false
  let stop: () => void = () => undefined
  // One callback serves all chunks: one for each would cost more than the rest of the work for a short chunk.
  const unlink = onAbort(signal, () => stop())
  const next = () =>
    new Promise<IteratorResult<Chunk>>((resolve, reject) => {
      signal.throwIfAborted()
      stop = () => reject(signal.reason as Error)
      iterator.next().then(resolve, reject)
    })
  try {
    for (let result = await next(); !result.done; result = await next()) yield result.value
    finished = true
  } finally {
    unlink()
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** Resolves when the signal is aborted. */
export const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else onAbort(signal, resolve)
  })
