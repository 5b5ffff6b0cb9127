import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ServerFault } from '../fault.js'

/** Requests of a server must be answered, over HTTP by a request each. */
const requestsPerSecond = 50
const notificationsPerSecond = 1000

/** Seconds of the window in which messages are counted. */
const countedSeconds = 10

/** Limits unsolicited messages of a server: some are dropped, and a server that sends far more is cut off. */
export class MessageBound {
  private readonly requests = new RateLimit(requestsPerSecond, 1)
  private readonly notifications = new RateLimit(notificationsPerSecond, 1)
  private readonly all: RateLimit

  /** @param max messages of any kind in ten seconds, not counting expected answers */
  constructor(private readonly max: number) {
    this.all = new RateLimit(max, countedSeconds)
  }

  /** The answer to a request that was sent does not count. */
  expectAnswer(): void {
    this.all.giveBack()
  }

  /** Counts a message, valid or not. @returns why the server is to be cut off, or undefined */
  count(): ServerFault | undefined {
    if (this.all.allows()) return undefined
    return new ServerFault(`sent more than ${this.max} messages in ${countedSeconds} seconds that nobody asked for`)
  }

  /** Whether a message is processed; answers always are. */
  accepts(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true
    return 'id' in message ? this.requests.allows() : this.notifications.allows()
  }
}

/** Allows a number of events in each fixed window of some seconds. */
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
