/** An error as plain data for the log: an `Error` itself may carry what cannot cross processes. */
export const describeError = (error: unknown): object =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
      }
    : { message: String(error) }
