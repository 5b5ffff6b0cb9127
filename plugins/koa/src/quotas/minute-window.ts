/**
 * How much of a quota per minute is used: a token bucket. What was used comes back evenly, so after a pause a whole
 * minute's worth may go at once, and then what has come back. A bucket takes two numbers for a key, however many requests
 * it sends, and its time until it is full again is what OpenAI's `x-ratelimit-reset-*` say.
 */
export class MinuteWindow {
  private used: number
  private at: number

  /**
   * @param now milliseconds of a clock that never goes back
   * @param used what is used at the beginning
   */
  constructor(now: number, used = 0) {
    this.at = now
    this.used = used
  }

  /** What is used now; never below 0, and never so much that the limit is out of reach for more than a minute. */
  usedAt(now: number, limit: number): number {
    const returned = ((now - this.at) / minute) * limit
    this.used = Math.min(limit, Math.max(0, this.used - returned))
    this.at = now
    return this.used
  }

  left(now: number, limit: number): number {
    return limit - this.usedAt(now, limit)
  }

  /** Uses so much, or gives so much back where it is negative. */
  use(amount: number, now: number, limit: number): void {
    this.used = this.usedAt(now, limit) + amount
    this.usedAt(now, limit)
  }

  /** Milliseconds until so much is left. */
  timeUntil(amount: number, now: number, limit: number): number {
    return Math.max(0, ((amount - this.left(now, limit)) / limit) * minute)
  }
}

export const minute = 60_000
