import { loggable } from '@sallyport/core'

/**
 * Why nothing was fetched. Everything between the name and the first byte of an answer is `unreachable`: whether an
 * address is refused, unknown, closed or silent must not be distinguishable, or requests could explore a network.
 */
export type OutboundReason =
  /** The address is not a URL. */
  | 'malformed'
  /** Neither https nor http. */
  | 'scheme'
  /** The address has a user name or a password. */
  | 'credentials'
  /** The host, or its port, is not among those that are allowed. */
  | 'host'
  | 'unreachable'
  /** The answer redirects too often, or to an address that is not allowed. */
  | 'redirect'
  /** The status of the answer is not 200. */
  | 'status'
  /** The answer is compressed, although the request did not accept that. */
  | 'encoding'
  | 'too_large'
  /** The deadline came while the answer arrived. */
  | 'slow'
  /** The connection ended before the answer did. */
  | 'broken'

/** The message, and that of the cause, are for the log: they may name the IP addresses of a host. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}: ${detail}`, options)
    // Of a request, the message quotes at most the host of an address.
    loggable(this)
  }
}
