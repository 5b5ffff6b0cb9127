/** What the log may know of an error beside its message. */

const brand = Symbol.for('sallyport.loggable')

/** Marks an error whose message is ours and holds nothing that users wrote: the log shows it. */
export const loggable = <Marked extends Error>(error: Marked): Marked =>
  Object.defineProperty(error, brand, { value: true })

/** Recognises what any copy of the core in the process has marked. */
export const isLoggable = (error: Error): boolean => brand in error

/** Whose code failed. */
export interface ErrorOrigin {
  readonly plugin: string
  readonly model: string
}

const origins = new WeakMap<object, ErrorOrigin>()

/**
 * Remembers for the log whose code an error came from, and returns it. The first origin stays: an error passes from the
 * code that failed to the code that called it.
 */
export const cameFrom = <Thrown>(error: Thrown, origin: ErrorOrigin): Thrown => {
  if (error instanceof Error && !origins.has(error)) origins.set(error, origin)
  return error
}

export const originOf = (error: Error): ErrorOrigin | undefined => origins.get(error)
