import { loggable } from '@sallyport/core'

/**
 * Why a fetch failed. Every failure to resolve a name, to connect or to get the head of an answer is `unreachable`:
 * whether an address is refused, unknown, closed or silent must not be distinguishable, or requests could explore a
 * network.
 */
export type OutboundReason =
  /** The address is not a URL. */
  | 'malformed'
  /** The scheme of the address is neither https nor http. */
  | 'scheme'
  /** The address has a user name or a password. */
  | 'credentials'
  /** The host, or its port, is not among those that are allowed. */
  | 'host'
  | 'unreachable'
  /**
   * The answer redirects too often, to an address that is not allowed, or, for a request other than GET, in a way that
   * would make it a GET.
   */
  | 'redirect'
  /** The status of the answer is not 200. */
  | 'status'
  /** The answer is compressed, although the request did not accept that. */
  | 'encoding'
  | 'too_large'
  /** A time limit was exceeded while the body arrived. */
  | 'slow'
  /** The connection failed before the end of the body. */
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
    // The message quotes at most the host, port and IP addresses of an address, and the status of an answer.
    loggable(this)
  }
}
