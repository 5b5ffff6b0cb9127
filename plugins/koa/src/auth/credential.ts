import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'
import type { KeyQuota } from '../quotas/quota.js'

/** Identifies the owner of a key. */
export interface Authenticator {
  authenticate(key: string): Identity | undefined
}

/** Longer keys are refused without a look-up. */
const maxKeyLength = 512

/**
 * Authenticates a request by `Authorization: Bearer <key>` or `x-api-key: <key>`. Where both are sent they must agree.
 * @throws unauthenticated, with the same text for every reason
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
  const apiKeyText = typeof apiKey === 'string' && apiKey ? apiKey.trim() : undefined
  if (bearer !== undefined && apiKeyText !== undefined && bearer !== apiKeyText) return undefined
  const key = bearer ?? apiKeyText
  return key !== undefined && key.length <= maxKeyLength ? key : undefined
}

export interface Identity {
  /** The id of the key. Data of one tenant is never shown to another. */
  readonly tenant: string
  /** The name of the key. */
  readonly name?: string
  /** Ids and aliases of the models that may be used; absent, all may. */
  readonly models?: readonly string[]
  /** What it may use beside what its team may, where that differs from the server's default. */
  readonly quota?: KeyQuota
  /** The group of keys whose quota its requests use, too. */
  readonly team?: string
  /** Name of a policy that holds for its requests, beside those of models and routes. */
  readonly policy?: string
}

/** The identity of every request where authentication is off. */
export const anyone: Identity = { tenant: 'anonymous' }
