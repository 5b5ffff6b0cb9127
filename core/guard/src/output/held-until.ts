import { abortWith } from '@sallyport/kit/async'
import { isSallyportError } from '@sallyport/core'
import type { Call } from '@sallyport/core'

/**
 * Starts a stream at once, and lets nothing of it out before the promise is kept; where it is broken, the stream is
 * aborted with that reason. A prompt that is too long for the model is not waited for: it says nothing to anybody.
 */
export async function* heldUntil(
  passed: Promise<void>,
  open: (call: Call) => AsyncIterable<unknown>,
  call: Call,
): AsyncGenerator {
  // Until the stream has begun, nobody else listens to it.
  passed.catch(() => undefined)
  const controller = new AbortController()
  const unlink = abortWith(call.signal, controller)
  const iterator = started(open, { ...call, signal: controller.signal })
  const first = iterator.next()
  first.catch(() => undefined)
  let ended = false
  try {
    await Promise.race([passed, tooLong(first)])
    for (let result = await first; !result.done; result = await iterator.next()) yield result.value
    ended = true
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    unlink()
    // It may be in the middle of a step, for which the signal is.
    if (!ended) void iterator.return(undefined).catch(() => undefined)
  }
}

/** What fails at once fails as its first step does. */
async function* started(open: (call: Call) => AsyncIterable<unknown>, call: Call): AsyncGenerator {
  yield* open(call)
}

/** Fails with the first step where that fails because the prompt is too long, and is never kept. */
const tooLong = (first: Promise<unknown>): Promise<never> =>
  new Promise((_, reject) => {
    first.catch((error: unknown) => {
      if (isSallyportError(error) && error.code === 'context_exceeded') reject(error)
    })
  })
