import { isKeyQuota } from '../quotas/quota.js'
import type { KeyQuota } from '../quotas/quota.js'

/** A key as it is stored: never the key itself. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** HMAC-SHA256 of the key with the server's pepper, in hexadecimal. */
  readonly hash: string
  /** ISO 8601. */
  readonly created: string
  /** ISO 8601; absent, the key never expires. */
  readonly expires?: string
  /** Ids and aliases of the models that may be used; absent, all may. */
  readonly models?: readonly string[]
  /** The name of a policy that applies to its requests. */
  readonly policy?: string
  /** What it may use beside what its team may; absent, what the configuration says. */
  readonly quota?: KeyQuota
  /** The group of keys whose quota its requests use, too. */
  readonly team?: string
  /** The environment supplied the key, which works as long as it does so. */
  readonly supplied?: true
  /** When it was revoked, ISO 8601. */
  readonly revoked?: string
}

export type KeyState = 'active' | 'expired' | 'revoked'

export const stateOf = ({ revoked, expires }: KeyRecord, now = Date.now()): KeyState => {
  if (revoked !== undefined) return 'revoked'
  // An unreadable date counts as passed.
  return expires === undefined || Date.parse(expires) > now ? 'active' : 'expired'
}

/** Parses the text of a file; undefined where it is not a key record. */
export const parseRecord = (text: string): KeyRecord | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isString = (value: unknown) => typeof value === 'string'

const isRecord = (value: unknown): value is KeyRecord => {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, hash, created, expires, models, policy, quota, team, supplied, revoked } = value as Record<
    string,
    unknown
  >
  return (
    [id, name, hash, created].every(isString) &&
    [expires, policy, team, revoked].every((member) => member === undefined || isString(member)) &&
    (models === undefined || (Array.isArray(models) && models.every(isString))) &&
    (quota === undefined || isKeyQuota(quota)) &&
    (supplied === undefined || supplied === true)
  )
}
