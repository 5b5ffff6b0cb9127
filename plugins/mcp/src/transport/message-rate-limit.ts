import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ServerFault } from '../fault.js'

/** Each request of a server must be answered, which over HTTP takes a request of ours. */
const requestsPerSecond = 50
const notificationsPerSecond = 1000

/** The window in which messages are counted. */
const windowSeconds = 10

/** Limits unsolicited messages of a server: some are dropped, and a server that sends far more is disconnected. */
export class MessageRateLimit {
  private readonly requests = new RateLimit(requestsPerSecond, 1)
  private readonly notifications = new RateLimit(notificationsPerSecond, 1)
  private readonly all: RateLimit

  /** @param max messages of any kind in ten seconds, not counting expected responses */
  constructor(private readonly max: number) {
    this.all = new RateLimit(max, windowSeconds)
  }

  /** The response to a request of ours does not count. */
  expectResponse(): void {
    this.all.giveBack()
  }

  /** Counts a message, valid or not. @returns the fault for which the server is disconnected, or undefined */
  count(): ServerFault | undefined {
    if (this.all.tryTake()) return undefined
    return new ServerFault(`sent more than ${this.max} messages in ${windowSeconds} seconds that nobody asked for`)
  }

  /** Whether a message is processed; responses always are. */
  accepts(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true
    return 'id' in message ? this.requests.tryTake() : this.notifications.tryTake()
  }
}

/** Allows `max` events in each fixed window of `seconds`. */
export class RateLimit {
  private window = 0
  private used = 0

  constructor(
    private readonly max: number,
    private readonly seconds: number,
  ) {}

  /** Counts an event. @returns whether it is allowed */
  tryTake(): boolean {
    const window = Math.floor(performance.now() / 1000 / this.seconds)
    if (window !== this.window) this.used = 0
    this.window = window
    this.used += 1
    return this.used <= this.max
  }

  giveBack(): void {
    this.used -= 1
  }
}
