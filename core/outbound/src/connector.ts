/** Makes connections to checked addresses only. */

import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { untilAborted } from '@sallyport/kit/async'
import { OutboundError } from './error.js'
import type { Resolve } from './resolve.js'

export interface ConnectorParts {
  readonly build: typeof buildConnector
  readonly resolve: Resolve
  readonly privateAddresses: boolean
  /** Ends the connection, also while it is being established. */
  readonly signal: AbortSignal
}

/** How many addresses of a name are tried. */
const maxAddresses = 4
/** Milliseconds for one address of several, before the next one is tried. */
const attemptTimeout = 1_000

/**
 * Checks in a connector, since the `lookup` hook of undici and Node is not called where the host is an address. A name
 * is resolved once, all its addresses are checked, and the connection goes to these, not to those to which the name
 * resolves a moment later.
 */
export const checkedConnector =
  ({ build, resolve, privateAddresses, signal }: ConnectorParts): buildConnector.connector =>
  (options, callback) => {
    const connect = async () => {
      const { hostname } = options
      const literal = isIP(hostname) !== 0
      const candidates = literal ? [hostname] : await untilAborted(resolve(hostname, signal), signal)
      const addresses = candidates.map((address) => {
        const allowed = allowedAddress(address, privateAddresses)
        if (allowed) return allowed
        throw new OutboundError('unreachable', `${hostname} is at ${address}, which is refused`)
      })
      const [first] = addresses
      if (first === undefined) throw new OutboundError('unreachable', `${hostname} has no address`)
      const base = build({
        // The signal enforces the time limits.
        timeout: 0,
        maxCachedSessions: 0,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: attemptTimeout,
        lookup: lookupOf(addresses.slice(0, maxAddresses)),
        signal,
      })
      base({ ...options, hostname: literal ? first : hostname }, callback)
    }
    connect().catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
  }

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** A lookup that always returns these addresses. */
const lookupOf = (addresses: readonly string[]) => {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_: string, { all }: LookupOptions, callback: LookupCallback): void => {
    const [first] = known
    if (all || !first) callback(null, known)
    else callback(null, first.address, first.family)
  }
}

/** Ranges that an operator can allow. Everything else that is not public is never allowed. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

/** All public IPv6 addresses are in here. ipaddr.js calls unassigned ranges unicast, too. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** They give credentials to any request from inside a cloud, and lie among public or private addresses. */
const metadataServices: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((ip) => ipaddr.parse(ip).toString()),
)

/**
 * The address in its canonical form where it may be connected to, else undefined. Always refused are link-local,
 * multicast, unspecified, documentation and other reserved ranges, every form of IPv4 inside IPv6, and the metadata
 * services of clouds; private, shared (CGNAT) and loopback addresses are refused unless they are allowed.
 */
const allowedAddress = (ip: string, privateAddresses: boolean): string | undefined => {
  if (!ipaddr.isValid(ip)) return undefined
  const address = ipaddr.parse(ip)
  const canonical = address.toString()
  const allowed = isPublic(address) || (privateAddresses && privateRanges.has(address.range()))
  return allowed && !metadataServices.has(canonical) ? canonical : undefined
}

const isPublic = (address: ReturnType<typeof ipaddr.parse>): boolean =>
  address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(publicIPv6))
