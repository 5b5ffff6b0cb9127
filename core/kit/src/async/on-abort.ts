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
    for (const { callback } of [...callbacks]) callback()
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
