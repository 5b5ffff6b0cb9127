import { failure } from '@sallyport/core'
import { stateOf } from './key-record.js'
import type { KeyStore } from './key-store.js'

/** How a start came by its key. `key` is there only where it may be shown. */
export type FirstKey = KeyOrigin & {
  /** Names of keys that the environment supplied before, and that work no more. */
  readonly withdrawn: readonly string[]
}

type KeyOrigin =
  | { readonly origin: 'created'; readonly key: string }
  /** From the environment; its owner has it. */
  | { readonly origin: 'supplied' }
  | { readonly origin: 'existing' }
  /** From the environment, but revoked or expired: it stays that way. */
  | { readonly origin: 'ended' }

const usable = /^[\x21-\x7e]{16,512}$/

/**
 * Makes sure that there is a key: the one supplied, else one of those there are, else a new one. A key that was supplied
 * before and is not any more has stopped working then.
 * @throws config_invalid where the supplied one is too short to be hard to guess, or cannot be sent
 */
export const ensureKey = (store: KeyStore, supplied: string | undefined): FirstKey => {
  const key = supplied || undefined
  if (key !== undefined) checkSupplied(key)
  const withdrawn = store.keepSupplied(key).map(({ name }) => name)
  return { ...(key === undefined ? anyKey(store) : takeSupplied(store, key)), withdrawn }
}

const checkSupplied = (key: string): void => {
  if (!usable.test(key))
    throw failure('config_invalid', {
      where: 'SALLYPORT_API_KEY',
      problem: 'must be 16 to 512 printable ASCII characters without spaces',
    })
}

const anyKey = (store: KeyStore): KeyOrigin =>
  store.list().some((record) => stateOf(record) === 'active')
    ? { origin: 'existing' }
    : { origin: 'created', key: store.create({ name: freeName(store, 'first') }).key }

const takeSupplied = (store: KeyStore, key: string): KeyOrigin => {
  const known = store.find(key)
  if (known) return { origin: stateOf(known) === 'active' ? 'supplied' : 'ended' }
  store.create({ name: freeName(store, 'environment'), supplied: key })
  return { origin: 'supplied' }
}

const freeName = (store: KeyStore, wanted: string): string => {
  const taken = new Set(store.list().map(({ name }) => name))
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`
  return name
}
