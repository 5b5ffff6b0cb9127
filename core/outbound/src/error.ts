import { loggable } from '@sallyport/core'

/**
 * Why nothing was fetched. Everything between the name and the first byte of an answer is `unreachable`: whether an
 * address is refused, unknown, closed or silent must not be told apart, or requests could explore a network.
 */
export type OutboundReason =
  /** No address that could be asked. */
  | 'malformed'
  /** Neither https nor http. */
  | 'scheme'
  /** A user name or a password stands in the address. */
  | 'credentials'
  /** The host, or its port, is not among those that are allowed. */
  | 'host'
  | 'unreachable'
  /** Redirected too often, or to an address that would not have been asked. */
  | 'redirect'
  /** Answered with another status than 200. */
  | 'status'
  /** The answer is compressed, though that was not asked for. */
  | 'encoding'
  | 'too_large'
  /** The deadline came while the answer arrived. */
  | 'slow'
  /** The connection ended before the answer did. */
  | 'broken'

/** The message, and that of the cause, may name addresses that a name stands for: they are for the log. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'

  constructor(
    readonly reason: OutboundReason,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}: ${detail}`, options)
    // The message names the host of an address at most.
    loggable(this)
  }
}
