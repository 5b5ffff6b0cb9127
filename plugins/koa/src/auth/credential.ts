import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'

/** Knows keys. */
export interface Authenticator {
  authenticate(key: string): Identity | undefined
}

/** Longer ones are not looked up. */
const maxKeyLength = 512

/**
 * Whose request this is. `Authorization: Bearer <key>` and `x-api-key: <key>` are equal; both at once must agree.
 * @throws unauthenticated, with the same text whatever was wrong
 */
export const authenticate = (headers: IncomingHttpHeaders, keys: Authenticator): Identity => {
  const key = credentialOf(headers)
  const identity = key === undefined ? undefined : keys.authenticate(key)
  if (!identity) throw failure('unauthenticated', {})
  return identity
}

const credentialOf = (headers: IncomingHttpHeaders): string | undefined => {
  const { authorization } = headers
  const apiKey = headers['x-api-key']
  const bearer = /^Bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1]
  if (authorization && bearer === undefined) return undefined
  const given = typeof apiKey === 'string' && apiKey ? apiKey.trim() : undefined
  if (bearer !== undefined && given !== undefined && bearer !== given) return undefined
  const key = bearer ?? given
  return key !== undefined && key.length <= maxKeyLength ? key : undefined
}

/** Who makes a request. */
export interface Identity {
  /** The id of the key; nothing of one tenant is shown to another. */
  readonly tenant: string
  /** Ids and aliases of the models that may be used; all when absent. */
  readonly models?: readonly string[]
  /** Name of a policy that holds for its requests, beside those of models and routes. */
  readonly policy?: string
}

/** Everyone, where no key is asked for. */
export const anyone: Identity = { tenant: 'anonymous' }
