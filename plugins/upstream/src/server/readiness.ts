import { setTimeout as after } from 'node:timers/promises'
import type { Dispatcher } from 'undici'

/** Milliseconds between two looks. */
const interval = 100
/** Milliseconds that one look may take. */
const patience = 2000

/** Resolves once the URL answers 2xx. @throws the signal's reason */
export const untilReady = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> => {
  while (!(await answers(url, dispatcher, signal))) {
    signal.throwIfAborted()
    await after(interval)
  }
  signal.throwIfAborted()
}

const answers = async (url: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<boolean> => {
  try {
    const { statusCode, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    })
    await body.dump()
    return statusCode >= 200 && statusCode < 300
  } catch {
    return false
  }
}
