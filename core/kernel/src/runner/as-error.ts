/** Signals may be aborted, and promises rejected, with any value. */
export const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('aborted', { cause: reason })
