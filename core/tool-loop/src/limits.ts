/** How far a loop may go. */
export interface ToolLoopLimits {
  /** How often the model is asked. */
  readonly steps: number
  /** Milliseconds for a whole loop with remote tools, at most 2^31 - 1; without any, there is the call's deadline only. */
  readonly time: number
  /** Remote calls; none above it are made, and the model answers without them. */
  readonly calls: number
  /** Remote calls of one step that run at the same time. */
  readonly callsAtOnce: number
  /** Milliseconds for one remote call. */
  readonly callTime: number
  /** Bytes of UTF-8 of one result, with the note behind what is cut. */
  readonly resultBytes: number
  /** Of all results together; one that does not fit is withheld, and no call is made after it. */
  readonly allResultBytes: number
  /** How often the same call (server, name and arguments) is made. */
  readonly repeats: number
}

export const toolLoopLimits: ToolLoopLimits = {
  steps: 16,
  time: 120_000,
  calls: 64,
  callsAtOnce: 4,
  callTime: 30_000,
  resultBytes: 256 * 1024,
  allResultBytes: 4 * 1024 * 1024,
  repeats: 2,
}
