/** Memory for the bodies of requests. */

import { failure } from '@sallyport/core'
import type { IncomingMessage } from 'node:http'
import type { Limits } from '../options.js'

/** What one request takes of the room. */
export interface BodyPlace {
  /** The body has arrived: what was kept for more than its bytes is free. */
  arrived(bytes: number): void
  /** Something else is kept beside the body until it is left. @throws overloaded */
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

  constructor(private readonly limits: Pick<Limits, 'body' | 'bodies'>) {}

  /** Bytes. */
  get load(): number {
    return this.taken
  }

  /** A body that is alone always fits. @throws overloaded */
  enter({ headers }: Pick<IncomingMessage, 'headers'>): BodyPlace {
    const { body, bodies } = this.limits
    let held = Math.min(body, Number(headers['content-length'] ?? body))
    if (this.taken && this.taken + held > bodies) throw noRoom()
    this.taken += held
    let left = false
    const hold = (bytes: number) => {
      this.taken += bytes - held
      held = bytes
    }
    const more = (bytes: number) => {
      if (left) return
      if (this.taken > held && this.taken + bytes > bodies) throw noRoom()
      hold(held + bytes)
    }
    const leave = () => {
      left = true
      hold(0)
    }
    return { arrived: hold, more, leave }
  }
}

const noRoom = () =>
  failure(
    'overloaded',
    { problem: 'the bodies of other requests take all the room: try again later' },
    { retryAfter: 1 },
  )
