import { setMaxListeners } from 'node:events'

interface Subscriptions {
  readonly callbacks: Set<{ readonly callback: () => void }>
  readonly stop: () => void
}

/** Each signal has one listener for all callbacks: Node warns of more than ten listeners. */
const subscriptions = new WeakMap<AbortSignal, Subscriptions>()

/** Calls back once the signal is aborted. @returns a function that cancels this */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  const { callbacks, stop } = subscriptions.get(signal) ?? subscribe(signal)
  const entry = { callback }
  callbacks.add(entry)
  return () => {
    if (callbacks.delete(entry) && !callbacks.size) stop()
  }
}

const subscribe = (signal: AbortSignal): Subscriptions => {
  const callbacks: Subscriptions['callbacks'] = new Set()
  const notify = () => {
    for (const entry of [...callbacks]) if (callbacks.has(entry)) entry.callback()
  }
  const stop = () => {
    signal.removeEventListener('abort', notify)
    subscriptions.delete(signal)
  }
  signal.addEventListener('abort', notify, { once: true })
  const created = { callbacks, stop }
  subscriptions.set(signal, created)
  return created
}

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
