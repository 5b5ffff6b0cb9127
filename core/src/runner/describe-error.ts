/** An error may be its own cause, or one of many in a row. */
const deepestCause = 8

/** An error as plain data for the log: an `Error` itself may carry what cannot cross processes. */
export const describeError = (error: unknown, depth = 0): object =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined || depth === deepestCause
          ? {}
          : { cause: describeError(error.cause, depth + 1) }),
      }
    : { message: String(error) }
