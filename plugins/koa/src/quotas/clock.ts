/** The times that quotas go by. */
export interface Clock {
  /** Milliseconds since 1970, which decide on days and months; may jump. */
  readonly wall: () => number
  /** Milliseconds that never go back, for quotas per minute. */
  readonly steady: () => number
}

export const systemClock: Clock = { wall: () => Date.now(), steady: () => performance.now() }
