/**
 * Where files are kept. `SALLYPORT_HOME` holds everything when it is set; otherwise the XDG directories do: what can be
 * fetched again in the cache, what cannot (keys) in the state.
 */

import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** Models: `$SALLYPORT_HOME`, `$XDG_CACHE_HOME/sallyport` or `~/.cache/sallyport`. Shared between projects. */
export const cacheDirectory = (environment: Environment = process.env): string =>
  directory(environment, 'XDG_CACHE_HOME', '.cache')

/**
 * Keys and the like: `$SALLYPORT_HOME`, `$XDG_STATE_HOME/sallyport` or `~/.local/state/sallyport`. Whoever writes there
 * makes it, for the owner alone.
 */
export const stateDirectory = (environment: Environment = process.env): string =>
  directory(environment, 'XDG_STATE_HOME', '.local/state')

const directory = (environment: Environment, variable: string, fallback: string): string => {
  if (environment.SALLYPORT_HOME) return resolve(environment.SALLYPORT_HOME)
  const base = environment[variable]
  // A relative path is to be ignored, says the specification.
  return join(base && isAbsolute(base) ? base : join(homedir(), fallback), 'sallyport')
}
