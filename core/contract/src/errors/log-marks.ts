/** Marks on errors for the log. */

const brand = Symbol.for('sallyport.loggable')

/** Marks an error whose message is ours and contains nothing that users wrote: the log shows it. */
export const loggable = <Marked extends Error>(error: Marked): Marked =>
  Object.defineProperty(error, brand, { value: true })

/** Recognises the mark of any copy of the core in the process. */
export const isLoggable = (error: Error): boolean => brand in error

/** Whose code failed. */
export interface ErrorOrigin {
  readonly plugin: string
  readonly model: string
}

const origins = new WeakMap<object, ErrorOrigin>()

/**
 * Remembers the origin of an error for the log, and returns the error. The first origin stays, because an error passes
 * from the code that failed to the code that called it.
 */
export const withOrigin = <Thrown>(error: Thrown, origin: ErrorOrigin): Thrown => {
  if (error instanceof Error && !origins.has(error)) origins.set(error, origin)
  return error
}

export const originOf = (error: Error): ErrorOrigin | undefined => origins.get(error)
