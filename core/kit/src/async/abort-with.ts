import { setMaxListeners } from 'node:events'
import { onAbort } from './on-abort.js'

/**
 * Aborts the controller when the signal is aborted, until the returned function is called. AbortSignal.any would keep a
 * reference to each controller in the signal, and takes several times the memory. The controller's own signal does not
 * warn of many listeners: each of the checks of a request listens while it runs.
 */
export const abortWith = (source: AbortSignal, controller: AbortController): (() => void) => {
  setMaxListeners(0, controller.signal)
  const abort = () => controller.abort(source.reason)
  if (source.aborted) abort()
  return onAbort(source, abort)
}
