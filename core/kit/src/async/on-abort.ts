type Hearers = Set<{ readonly hear: () => void }>

/** What hears of each signal: one listener of the signal for all of them, for it warns of more than ten. */
const hearing = new WeakMap<AbortSignal, { readonly hearers: Hearers; readonly stop: () => void }>()

/** Calls back once the signal is aborted, until what it returns is called. */
export const onAbort = (signal: AbortSignal, hear: () => void): (() => void) => {
  const { hearers, stop } = hearing.get(signal) ?? listenTo(signal)
  const hearer = { hear }
  hearers.add(hearer)
  return () => {
    if (hearers.delete(hearer) && !hearers.size) stop()
  }
}

const listenTo = (signal: AbortSignal) => {
  const hearers: Hearers = new Set()
  const tell = () => {
    for (const { hear } of [...hearers]) hear()
  }
  const stop = () => {
    signal.removeEventListener('abort', tell)
    hearing.delete(signal)
  }
  signal.addEventListener('abort', tell, { once: true })
  const listener = { hearers, stop }
  hearing.set(signal, listener)
  return listener
}
