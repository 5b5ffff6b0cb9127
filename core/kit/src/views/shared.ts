/** What is made of a text is made once for all who look at the text at the same time. */

import type { Requester } from '../async/slots.js'
import { untilAborted } from '../async/until-aborted.js'
import { RecentlyUsed } from '../lists/recently-used.js'

interface Making {
  readonly promise: Promise<unknown>
  isDone: boolean
}

/** What is made of one text, by its name. */
interface Shared {
  readonly tenant: string
  readonly made: Map<string, Making>
}

/**
 * UTF-16 units of all texts whose views are kept for a moment: to collect the garbage of more takes as long as to make
 * them anew. Those of a longer text are let go once they are made.
 */
const mostKept = 8192
/** Milliseconds after which nothing of a text is left. */
const lifetime = 1000

const kept = (): RecentlyUsed<Shared> => new RecentlyUsed(mostKept, (_, text) => text.length)
let short = kept()
let timer: NodeJS.Timeout | undefined
const long = new Map<string, Shared>()

/** Tenants share nothing: how fast an answer comes would tell what others have sent. */
const sharedOf = (text: string, tenant: string): Shared => {
  const isShort = text.length <= mostKept
  const known = isShort ? short.get(text) : long.get(text)
  if (known?.tenant === tenant) return known
  const shared: Shared = { tenant, made: new Map() }
  if (isShort) {
    short.set(text, shared)
    timer ??= setTimeout(() => ([short, timer] = [kept(), undefined]), lifetime).unref()
  } else long.set(text, shared)
  return shared
}

/**
 * What is made at once comes in the same turn for whoever asks first and for others: streams leave in one order.
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
  if (theirs)
    return theirs.isDone ? (theirs.promise as Promise<Made>) : orOwn(theirs.promise as Promise<Made>, signal, make)
  const own = makingOf(make)
  made.set(name, own)
  const letGo = () => {
    made.delete(name)
    if (made.size === 0 && long.get(text)?.made === made) long.delete(text)
  }
  own.promise.then(text.length > mostKept ? letGo : () => (own.isDone = true), letGo)
  return own.promise
}

const makingOf = <Made>(make: () => Made | Promise<Made>) => {
  let isDone = false
  const made = async () => {
    const result = make()
    isDone = !(result instanceof Promise)
    return result
  }
  return { promise: made(), isDone }
}

/** What somebody else makes or, where that fails, which may be for a reason of theirs, one's own. */
const orOwn = async <Made>(
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
