import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ServerFault } from '../fault.js'

/** Each is answered, over HTTP by a request of its own. */
const requestsPerSecond = 50
const notificationsPerSecond = 1000

/** Seconds in which the messages of a server are counted. */
const countedTime = 10

/** Of what a server says by itself, so much is looked at in a second, and one that says far more is not read any further. */
export class MessageBound {
  private readonly requests = new RateLimit(requestsPerSecond, 1)
  private readonly notifications = new RateLimit(notificationsPerSecond, 1)
  private readonly all: RateLimit

  /** @param max messages in ten seconds, whatever they are, besides the answers that are waited for */
  constructor(private readonly max: number) {
    this.all = new RateLimit(max, countedTime)
  }

  /** Whoever has asked something gets an answer. */
  expect(): void {
    this.all.giveBack()
  }

  /** One more has come, or what should have been one. @returns why the server is to be cut off */
  count(): ServerFault | undefined {
    if (this.all.allows()) return undefined
    return new ServerFault(`sent more than ${this.max} messages in ${countedTime} seconds that nobody asked for`)
  }

  /** Whether it is looked at: answers always. */
  takes(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true
    return 'id' in message ? this.requests.allows() : this.notifications.allows()
  }
}

/** So many in each span of so many seconds. */
export class RateLimit {
  private span = 0
  private used = 0

  constructor(
    private readonly max: number,
    private readonly seconds: number,
  ) {}

  allows(): boolean {
    const span = Math.floor(performance.now() / 1000 / this.seconds)
    if (span !== this.span) this.used = 0
    this.span = span
    this.used += 1
    return this.used <= this.max
  }

  giveBack(): void {
    this.used -= 1
  }
}
