/** Connections to checked addresses only. */

import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { buildConnector } from 'undici'
import { untilAborted } from '@sallyport/kit/async'
import { allowedAddress } from './addresses.js'
import { OutboundError } from './error.js'
import type { Resolve } from './resolve.js'

export interface ConnectorParts {
  readonly build: typeof buildConnector
  readonly resolve: Resolve
  readonly privateAddresses: boolean
  /** Ends connections, and those that do not stand yet. */
  readonly signal: AbortSignal
}

/** Of a name with many addresses no more are tried. */
const mostAddresses = 4
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
        lookup: pinned(addresses.slice(0, mostAddresses)),
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
