import { failure } from '@sallyport/core'
import { stateOf } from './key-record.js'
import type { KeyStore } from './key-store.js'

/** The key that a start reports, and its origin. `key` is present only where it may be shown. */
export type StartupKey = KeyOrigin & {
  /** Names of keys that the environment supplied earlier, and that have stopped working with this start. */
  readonly withdrawn: readonly string[]
}

type KeyOrigin =
  | { readonly origin: 'created'; readonly key: string }
  /** The environment supplied it, so its owner has it already. */
  | { readonly origin: 'supplied' }
  | { readonly origin: 'existing' }
  /** The environment supplied it, but it is revoked or expired, and stays so. */
  | { readonly origin: 'supplied_inactive' }

const validKey = /^[\x21-\x7e]{16,512}$/

/**
 * Makes sure that there is a key: the supplied one, else an existing one, else a new one. Keys that the environment
 * supplied earlier, and does not now, stop working.
 * @throws config_invalid where the supplied key is too short to be secure, or cannot be sent in a header
 */
export const ensureKey = (store: KeyStore, supplied: string | undefined): StartupKey => {
  const key = supplied || undefined
  if (key !== undefined && !validKey.test(key))
    throw failure('config_invalid', {
      where: 'SALLYPORT_API_KEY',
      problem: 'must be 16 to 512 printable ASCII characters without spaces',
    })
  const withdrawn = store.withdrawOtherSupplied(key).map(({ name }) => name)
  return { ...(key === undefined ? anyKey(store) : takeSupplied(store, key)), withdrawn }
}

const anyKey = (store: KeyStore): KeyOrigin =>
  store.list().some((record) => stateOf(record) === 'active')
    ? { origin: 'existing' }
    : { origin: 'created', key: store.create({ name: freeName(store, 'first') }).key }

const takeSupplied = (store: KeyStore, key: string): KeyOrigin => {
  const known = store.find(key)
  if (known) return { origin: stateOf(known) === 'active' ? 'supplied' : 'supplied_inactive' }
  store.create({ name: freeName(store, 'environment'), supplied: key })
  return { origin: 'supplied' }
}

const freeName = (store: KeyStore, wanted: string): string => {
  const taken = new Set(store.list().map(({ name }) => name))
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`
  return name
}
