const brand = Symbol.for('sallyport.loggable')

/** Marks an error whose message is ours and holds nothing that users wrote: the log shows it. */
export const loggable = <Marked extends Error>(error: Marked): Marked =>
  Object.defineProperty(error, brand, { value: true })

/** Recognises what any copy of the core in the process has marked. */
export const isLoggable = (error: Error): boolean => brand in error
