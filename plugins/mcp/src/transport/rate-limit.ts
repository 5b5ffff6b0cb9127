import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** Each is answered, over HTTP by a request of its own. */
const requestsPerSecond = 50
const notificationsPerSecond = 1000

/** Answers come in always; of what a server says by itself, so much in a second. */
export class MessageRateLimit {
  private readonly requests = new RateLimit(requestsPerSecond)
  private readonly notifications = new RateLimit(notificationsPerSecond)

  takes(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return true
    return 'id' in message ? this.requests.allows() : this.notifications.allows()
  }
}

/** So many in a second. */
export class RateLimit {
  private second = 0
  private used = 0

  constructor(private readonly perSecond: number) {}

  allows(): boolean {
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.second) this.used = 0
    this.second = second
    this.used += 1
    return this.used <= this.perSecond
  }
}
