/** Views of a text are made once for all detectors that read the text at the same time. */

import type { Requester } from '../async/slots.js'
import { untilAborted } from '../async/until-aborted.js'
import { LruCache } from '../lists/lru-cache.js'

interface Computation {
  readonly promise: Promise<unknown>
  isDone: boolean
}

/** The computations on one text, by their names. */
interface Shared {
  readonly tenant: string
  readonly made: Map<string, Computation>
}

/**
 * UTF-16 code units of all texts whose views are kept for a moment: with more, garbage collection takes as long as
 * making them anew. Views of a longer text are dropped once they are made.
 */
const maxKeptLength = 8192
/** Milliseconds after which all kept views are dropped. */
const lifetime = 1000

const newCache = (): LruCache<Shared> => new LruCache(maxKeptLength, (_, text) => text.length)
let shortTexts = newCache()
let timer: NodeJS.Timeout | undefined
const longTexts = new Map<string, Shared>()

/** Tenants share nothing: how fast an answer comes would reveal what others have sent. */
const sharedOf = (text: string, tenant: string): Shared => {
  const isShort = text.length <= maxKeptLength
  const known = isShort ? shortTexts.get(text) : longTexts.get(text)
  if (known?.tenant === tenant) return known
  const shared: Shared = { tenant, made: new Map() }
  if (isShort) {
    shortTexts.set(text, shared)
    timer ??= setTimeout(() => ([shortTexts, timer] = [newCache(), undefined]), lifetime).unref()
  } else longTexts.set(text, shared)
  return shared
}

/**
 * Computes something of a text once. A synchronous result resolves in the same turn for the first caller and for
 * others, so that streams leave in one order.
 * @throws what `make` throws, the signal's reason
 */
export const once = <Made>(
  text: string,
  name: string,
  { signal, tenant }: Requester,
  make: () => Made | Promise<Made>,
): Promise<Made> => {
  const { made } = sharedOf(text, tenant)
  const theirs = made.get(name)
  if (theirs) {
    const promise = theirs.promise as Promise<Made>
    return theirs.isDone ? promise : sharedOrOwn(promise, signal, make)
  }
  const own = compute(make)
  made.set(name, own)
  const drop = () => {
    made.delete(name)
    if (made.size === 0 && longTexts.get(text)?.made === made) longTexts.delete(text)
  }
  own.promise.then(text.length > maxKeptLength ? drop : () => (own.isDone = true), drop)
  return own.promise
}

const compute = <Made>(make: () => Made | Promise<Made>) => {
  let isDone = false
  const made = async () => {
    const result = make()
    isDone = !(result instanceof Promise)
    return result
  }
  return { promise: made(), isDone }
}

/** The result of another caller or, where that failed, which may be for a reason of the other caller, one's own. */
const sharedOrOwn = async <Made>(
  theirs: Promise<Made>,
  signal: AbortSignal,
  make: () => Made | Promise<Made>,
): Promise<Made> => {
  try {
    return await untilAborted(theirs, signal)
  } catch {
    signal.throwIfAborted()
    return make()
  }
}
