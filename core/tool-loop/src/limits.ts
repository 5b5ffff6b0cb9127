/** The limits of a loop. */
export interface ToolLoopLimits {
  /** Questions to the model. */
  readonly steps: number
  /** Milliseconds for a loop with remote tools; without them only the call's deadline counts. */
  readonly time: number
  /** Remote calls of the whole loop; then the model must answer without further ones. */
  readonly calls: number
  /** Remote calls of one step that run at the same time. */
  readonly callsAtOnce: number
  /** Milliseconds for one remote call. */
  readonly callTime: number
  /** Bytes of UTF-8 of one result, including the note at the end of a truncated one. */
  readonly resultBytes: number
  /** Bytes of all results together. A result that does not fit is withheld, and no call is made after it. */
  readonly allResultBytes: number
  /** Times that the same call (server, name and arguments) is made. */
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
