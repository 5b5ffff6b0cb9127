import { abortWith } from '@sallyport/kit/async'
import { isSallyportError } from '@sallyport/core'
import type { Call } from '@sallyport/core'

/**
 * Starts a stream at once, but yields nothing before the promise resolves. If the promise rejects, the stream is
 * aborted with that reason. `context_exceeded` is thrown without waiting, since it shows nothing of the prompt.
 */
export async function* releaseAfter(
  passed: Promise<void>,
  open: (call: Call) => AsyncIterable<unknown>,
  call: Call,
): AsyncGenerator {
  // It may reject before the race below handles it.
  passed.catch(() => undefined)
  const controller = new AbortController()
  const unlink = abortWith(call.signal, controller)
  const iterator = openLazily(open, { ...call, signal: controller.signal })
  const first = iterator.next()
  first.catch(() => undefined)
  let ended = false
  try {
    await Promise.race([passed, rejectIfContextExceeded(first)])
    for (let result = await first; !result.done; result = await iterator.next()) yield result.value
    ended = true
  } catch (error) {
    controller.abort(error)
    throw error
  } finally {
    unlink()
    // A pending step would delay `return`; the signal ends that step.
    if (!ended) void iterator.return(undefined).catch(() => undefined)
  }
}

/** Turns an error on opening into one of the first step. */
async function* openLazily(open: (call: Call) => AsyncIterable<unknown>, call: Call): AsyncGenerator {
  yield* open(call)
}

/** Rejects if the first step fails with `context_exceeded`, and otherwise stays pending. */
const rejectIfContextExceeded = (first: Promise<unknown>): Promise<never> =>
  new Promise((_, reject) => {
    first.catch((error: unknown) => {
      if (isSallyportError(error) && error.code === 'context_exceeded') reject(error)
    })
  })
