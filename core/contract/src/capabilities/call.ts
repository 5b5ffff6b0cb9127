/** What accompanies every call of a capability. */
export interface Call {
  /** Aborted when the caller has gone or the deadline has passed; work must stop within one token. */
  readonly signal: AbortSignal
  /** The time after which an answer is useless, in milliseconds since the epoch. */
  readonly deadline: number
  /** Quoted in logs and error bodies. */
  readonly requestId: string
  /** Whose request it is: nothing cached or derived for one tenant is shown to another. */
  readonly tenant: string
  /**
   * The trace that it belongs to, as W3C headers (`traceparent`, `tracestate`): whoever asks another server for it sends
   * them. Absent where no traces are made.
   */
  readonly trace?: Readonly<Record<string, string>> | undefined
}

/** Token counts of one call. */
export interface Usage {
  promptTokens: number
  /** Prompt tokens that were not evaluated because they were in the cache from an earlier request. */
  cachedTokens?: number
  completionTokens: number
  /** Completion tokens spent on reasoning. */
  reasoningTokens?: number
}
