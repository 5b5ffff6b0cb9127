/** Connections to checked addresses only. */

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
  /** Ends connections, and those that do not stand yet. */
  readonly signal: AbortSignal
}

/** No more addresses of a name are tried. */
const maxAddresses = 4
/** Milliseconds for one address of several, before the next one is tried. */
const attempt = 1_000

/**
 * Every connection comes by here, whether its host is a name or an address: undici's and Node's own hook, `lookup`, is
 * not asked about addresses. A name is resolved once, all its addresses are checked, and the connection goes to these,
 * not to what the name stands for a moment later.
 */
export const checkedConnector =
  ({ build, resolve, privateAddresses, signal }: ConnectorParts): buildConnector.connector =>
  (options, callback) => {
    const connect = async () => {
      const { hostname } = options
      const literal = isIP(hostname) !== 0
      const found = literal ? [hostname] : await untilAborted(resolve(hostname, signal), signal)
      const addresses = found.map((address) => {
        const allowed = allowedAddress(address, privateAddresses)
        if (allowed === undefined)
          throw new OutboundError('unreachable', `${hostname} is at ${address}, which is refused`)
        return allowed
      })
      const [first] = addresses
      if (first === undefined) throw new OutboundError('unreachable', `${hostname} has no address`)
      const base = build({
        // The signal has the deadline.
        timeout: 0,
        maxCachedSessions: 0,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: attempt,
        lookup: pinned(addresses.slice(0, maxAddresses)),
        signal,
      })
      base({ ...options, hostname: literal ? first : hostname }, callback)
    }
    connect().catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
  }

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Answers with these addresses, whatever is asked. */
const pinned = (addresses: readonly string[]) => {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_: string, { all }: LookupOptions, callback: LookupCallback): void => {
    const [first] = known
    if (all || !first) callback(null, known)
    else callback(null, first.address, first.family)
  }
}

type Address = ReturnType<typeof ipaddr.parse>

/** What an operator can allow. Everything else that is not public is never allowed. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])

/** IPv6 has more than is public outside of this one: embedded IPv4 addresses, and what is not assigned. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Give credentials to whatever asks from inside a cloud, and are neither link-local nor recognisable by their range. */
const metadataServices: readonly Address[] = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map(
  (text) => ipaddr.parse(text),
)

/**
 * The address in its usual spelling where it may be connected to, else undefined. Refused are, always: link-local,
 * multicast, unspecified, documentation and other reserved ranges, IPv4 inside IPv6 in every form, and the metadata
 * services of clouds; private, shared (CGNAT) and loopback addresses unless they are allowed.
 * @param text an IP address
 */
const allowedAddress = (text: string, privateAddresses: boolean): string | undefined => {
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  const allowed = isPublic(address) || (privateAddresses && privateRanges.has(address.range()))
  return allowed && !isMetadataService(address) ? address.toString() : undefined
}

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(publicIPv6))

const isMetadataService = (address: Address): boolean => {
  const text = address.toString()
  return metadataServices.some((service) => service.toString() === text)
}
