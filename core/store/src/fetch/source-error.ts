/** Why one source did not give a file. Others may. */
export class SourceError extends Error {
  /** @param resumable whether what has arrived so far is worth keeping */
  constructor(
    problem: string,
    readonly resumable = false,
    cause?: unknown,
  ) {
    super(problem, { cause })
  }
}
