/**
 * Structured log lines. Never pass text of a request or an answer: lengths and ids only. Errors go in fields, as they
 * are: the kernel's logger leaves out what may quote users.
 */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** A logger that adds these fields to each line. */
  child(fields: object): Logger
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
}
