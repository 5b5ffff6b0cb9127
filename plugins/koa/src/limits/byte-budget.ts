/** Bounds the bytes of memory, or of disk, that requests take together. */

import type { IncomingMessage } from 'node:http'
import { failure } from '@sallyport/core'

/** The most bytes of one body, and of all together. */
interface ByteLimits {
  readonly maxEach: number
  readonly maxTotal: number
}

/** The bytes that one request has reserved. */
export interface ByteReservation {
  /** Sets the size, when the body has arrived and its size is known. */
  resize(bytes: number): void
  /** Reserves further bytes. @throws overloaded, rate_limited */
  grow(bytes: number): void
  /** Gives all bytes back. */
  release(): void
}

/**
 * Bounds the bytes of the bodies of all requests that are read, wait or run. They are reserved before reading:
 * `Content-Length` where there is one, else the largest size that a body may have.
 */
export class ByteBudget {
  private taken = 0
  private readonly takenBy = new Map<string, number>()

  /** @param perTenant the most bytes that one tenant may reserve */
  constructor(
    private readonly limits: ByteLimits,
    private readonly perTenant = limits.maxTotal,
  ) {}

  /** The bytes that are reserved now. */
  get load(): number {
    return this.taken
  }

  /** Reserves bytes for a body that is about to be read. @throws overloaded, rate_limited */
  reserveBody({ headers }: Pick<IncomingMessage, 'headers'>, tenant: string): ByteReservation {
    const { maxEach } = this.limits
    const reservation = this.newReservation(tenant)
    reservation.grow(Math.min(maxEach, Number(headers['content-length'] ?? maxEach)))
    return reservation
  }

  /** Makes an empty reservation. One that has the budget to itself may grow beyond it. */
  newReservation(tenant: string): ByteReservation {
    let reserved = 0
    const resize = (bytes: number) => {
      this.take(tenant, bytes - reserved)
      reserved = bytes
    }
    let released = false
    const grow = (bytes: number) => {
      if (released) return
      this.refuseIfFull(tenant, reserved, bytes)
      resize(reserved + bytes)
    }
    const release = () => {
      released = true
      resize(0)
    }
    return { resize, grow, release }
  }

  private take(tenant: string, bytes: number): void {
    this.taken += bytes
    const tenantBytes = (this.takenBy.get(tenant) ?? 0) + bytes
    if (tenantBytes) this.takenBy.set(tenant, tenantBytes)
    else this.takenBy.delete(tenant)
  }

  /** @param reserved by the reservation that asks for more */
  private refuseIfFull(tenant: string, reserved: number, bytes: number): void {
    const takenByTenant = this.takenBy.get(tenant) ?? 0
    if (this.taken > reserved && this.taken + bytes > this.limits.maxTotal)
      throw failure('overloaded', { problem: globalProblem }, { retryAfter: 1 })
    if (takenByTenant > reserved && takenByTenant + bytes > this.perTenant)
      throw failure('rate_limited', { problem: tenantProblem }, { retryAfter: 1 })
  }
}

const globalProblem = 'the bodies of other requests take all the room: try again later'
const tenantProblem = 'the bodies of this key’s requests take its share of the room: wait for one to end'
