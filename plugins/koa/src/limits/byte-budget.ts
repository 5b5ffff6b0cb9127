/** Bounds the bytes of memory, or of disk, that requests take together. */

import type { IncomingMessage } from 'node:http'
import { failure } from '@sallyport/core'
import type { Limits } from '../options.js'

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
 * Bounds the bytes of all bodies that are being read, wait, or are worked on. They are reserved before reading:
 * `Content-Length` where there is one, else the largest size that a body may have.
 */
export class ByteBudget {
  private taken = 0
  private readonly takenBy = new Map<string, number>()

  /** @param perTenant the most bytes that one tenant may reserve */
  constructor(
    private readonly limits: Pick<Limits, 'body' | 'bodies'>,
    private readonly perTenant = limits.bodies,
  ) {}

  /** The bytes that are reserved now. */
  get load(): number {
    return this.taken
  }

  /** Reserves bytes for a body that is about to be read. @throws overloaded, rate_limited */
  reserveBody({ headers }: Pick<IncomingMessage, 'headers'>, tenant: string): ByteReservation {
    const { body } = this.limits
    const place = this.open(tenant)
    place.grow(Math.min(body, Number(headers['content-length'] ?? body)))
    return place
  }

  /** Makes an empty reservation. One that has the budget to itself may grow beyond it. */
  open(tenant: string): ByteReservation {
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
    const taken = (this.takenBy.get(tenant) ?? 0) + bytes
    if (taken) this.takenBy.set(tenant, taken)
    else this.takenBy.delete(tenant)
  }

  /** @param reserved by the reservation that asks for more */
  private refuseIfFull(tenant: string, reserved: number, bytes: number): void {
    const takenByTenant = this.takenBy.get(tenant) ?? 0
    if (this.taken > reserved && this.taken + bytes > this.limits.bodies)
      throw failure('overloaded', { problem: globalProblem }, { retryAfter: 1 })
    if (takenByTenant > reserved && takenByTenant + bytes > this.perTenant)
      throw failure('rate_limited', { problem: tenantProblem }, { retryAfter: 1 })
  }
}

const globalProblem = 'the bodies of other requests take all the room: try again later'
const tenantProblem = 'the bodies of this key’s requests take its share of the room: wait for one to end'
