import { failure } from '@sallyport/core'
import { stateOf } from './key-record.js'
import type { KeyStore } from './key-store.js'

/** How a start came by its key. `key` is there only where it may be shown. */
export type FirstKey =
  | { readonly origin: 'created'; readonly key: string }
  /** From the environment; its owner has it. */
  | { readonly origin: 'supplied' }
  | { readonly origin: 'existing' }
  /** From the environment, but revoked or expired: it stays that way. */
  | { readonly origin: 'ended' }

const usable = /^[\x21-\x7e]{16,512}$/

/**
 * Makes sure that there is a key: the one supplied, else one of those there are, else a new one.
 * @throws config_invalid where the supplied one is too short to be hard to guess, or cannot be sent
 */
export const ensureKey = (store: KeyStore, supplied: string | undefined): FirstKey => {
  if (supplied) return takeSupplied(store, supplied)
  if (store.list().some((record) => stateOf(record) === 'active')) return { origin: 'existing' }
  return { origin: 'created', key: store.create({ name: freeName(store, 'first') }).key }
}

const takeSupplied = (store: KeyStore, key: string): FirstKey => {
  if (!usable.test(key))
    throw failure('config_invalid', {
      where: 'SALLYPORT_API_KEY',
      problem: 'must be 16 to 512 printable ASCII characters without spaces',
    })
  const known = store.find(key)
  if (known) return { origin: stateOf(known) === 'active' ? 'supplied' : 'ended' }
  store.create({ name: freeName(store, 'environment'), key })
  return { origin: 'supplied' }
}

const freeName = (store: KeyStore, wanted: string): string => {
  const taken = new Set(store.list().map(({ name }) => name))
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`
  return name
}
