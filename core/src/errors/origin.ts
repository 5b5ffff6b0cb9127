/** Whose code failed. */
export interface ErrorOrigin {
  readonly plugin: string
  readonly model: string
}

const origins = new WeakMap<object, ErrorOrigin>()

/** The same error, of which the log says whose code it came from: the innermost that is told of counts. */
export const cameFrom = <Thrown>(error: Thrown, origin: ErrorOrigin): Thrown => {
  if (error instanceof Error && !origins.has(error)) origins.set(error, origin)
  return error
}

export const originOf = (error: Error): ErrorOrigin | undefined => origins.get(error)
