import type { Call } from '../../capabilities/call.js'

/**
 * Starts a stream at once, and lets nothing of it out before the promise is kept; where it is broken, the stream is
 * aborted with that reason.
 */
export async function* heldUntil(
  passed: Promise<void>,
  open: (call: Call) => AsyncIterable<unknown>,
  call: Call,
): AsyncGenerator {
  const controller = new AbortController()
  const signal = AbortSignal.any([call.signal, controller.signal])
  const iterator = open({ ...call, signal })[Symbol.asyncIterator]()
  const first = iterator.next()
  first.catch(() => undefined)
  let ended = false
  try {
    await passed
    for (let result = await first; !result.done; result = await iterator.next()) yield result.value
    ended = true
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    // It may be in the middle of a step, for which the signal is.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}
