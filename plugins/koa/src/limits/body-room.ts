/** Memory for the bodies of requests. */

import type { IncomingMessage } from 'node:http'
import { failure } from '@sallyport/core'
import type { Limits } from '../options.js'

/** What one request takes of the room. */
export interface BodyPlace {
  /** The body has arrived: what was kept for more than its bytes is free. */
  arrived(bytes: number): void
  /** Something else is kept beside the body until it is left. @throws overloaded, rate_limited */
  more(bytes: number): void
  /** Nothing holds the body any more. */
  leave(): void
}

/**
 * Bounds the bytes of all bodies that are being read, wait, or are worked on. Room is taken before reading, for as many
 * bytes as are announced, or as a body may have where none are.
 */
export class BodyRoom {
  private taken = 0
  private readonly takenBy = new Map<string, number>()

  /** @param perTenant bytes of all bodies of one tenant */
  constructor(
    private readonly limits: Pick<Limits, 'body' | 'bodies'>,
    private readonly perTenant = limits.bodies,
  ) {}

  /** Bytes. */
  get load(): number {
    return this.taken
  }

  /** A place for a body that comes. @throws overloaded, rate_limited */
  enter({ headers }: Pick<IncomingMessage, 'headers'>, tenant: string): BodyPlace {
    const { body } = this.limits
    const place = this.open(tenant)
    place.more(Math.min(body, Number(headers['content-length'] ?? body)))
    return place
  }

  /** A place that takes nothing yet. What is alone always fits. */
  open(tenant: string): BodyPlace {
    let held = 0
    const hold = (bytes: number) => {
      this.take(tenant, bytes - held)
      held = bytes
    }
    let left = false
    const more = (bytes: number) => {
      if (left) return
      this.refuseIfFull(tenant, held, bytes)
      hold(held + bytes)
    }
    const leave = () => {
      left = true
      hold(0)
    }
    return { arrived: hold, more, leave }
  }

  private take(tenant: string, bytes: number): void {
    this.taken += bytes
    const taken = (this.takenBy.get(tenant) ?? 0) + bytes
    if (taken) this.takenBy.set(tenant, taken)
    else this.takenBy.delete(tenant)
  }

  /** @param held by the place that asks for more */
  private refuseIfFull(tenant: string, held: number, bytes: number): void {
    const ofTenant = this.takenBy.get(tenant) ?? 0
    if (this.taken > held && this.taken + bytes > this.limits.bodies)
      throw failure('overloaded', { problem: ofOthers }, { retryAfter: 1 })
    if (ofTenant > held && ofTenant + bytes > this.perTenant)
      throw failure('rate_limited', { problem: ofItsOwn }, { retryAfter: 1 })
  }
}

const ofOthers = 'the bodies of other requests take all the room: try again later'
const ofItsOwn = 'the bodies of this key’s requests take its share of the room: wait for one to end'
