import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ServerFault } from '../fault.js'

/** Fewer requests than notifications, since each must be answered, which over HTTP takes a request of ours. */
const requestsPerSecond = 50
const notificationsPerSecond = 1000

/** The window in which messages are counted. */
const windowSeconds = 10

/** Limits unsolicited messages of a server: drops some, and decides when the server is to be disconnected. */
export class MessageRateLimit {
  private readonly requests = new RateLimit(requestsPerSecond, 1)
  private readonly notifications = new RateLimit(notificationsPerSecond, 1)
  private readonly unsolicited: RateLimit
  private expectedResponses = 0

  /** @param max messages of any kind in ten seconds, not counting expected responses */
  constructor(private readonly max: number) {
    this.unsolicited = new RateLimit(max, windowSeconds)
  }

  /** One more response is expected, and does not count when it arrives. */
  expectResponse(): void {
    this.expectedResponses += 1
  }

  /**
   * Counts a message, unless it is an expected response.
   * @param message undefined where it is invalid
   * @returns the fault for which the server is disconnected, or undefined
   */
  count(message?: JSONRPCMessage): ServerFault | undefined {
    if (message && !('method' in message) && this.expectedResponses > 0) {
      this.expectedResponses -= 1
      return undefined
    }
    if (this.unsolicited.tryTake()) return undefined
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
}
