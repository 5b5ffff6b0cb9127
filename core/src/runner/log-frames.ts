import type { Logger } from '../kernel/logger.js'
import type { LogFrame, LogLevel } from './protocol.js'

/** A logger whose lines are written on the other side. */
export const forwardingLogger = (
  send: (level: LogLevel, fields: object, message: string) => void,
  context: object = {},
): Logger => {
  const at = (level: LogLevel) => (fields: object, message: string) => send(level, { ...context, ...fields }, message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => forwardingLogger(send, { ...context, ...fields }),
  }
}

export const writeLogFrame = (logger: Logger, { level, fields, message }: LogFrame): void =>
  logger[level](fields, message)
