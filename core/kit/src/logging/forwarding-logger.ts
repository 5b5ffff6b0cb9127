import type { Logger } from '@sallyport/core'

type Level = Exclude<keyof Logger, 'child'>

/** A logger whose lines are written elsewhere, with the fields of the logger's parents. */
export const forwardingLogger = (
  send: (level: Level, fields: object, message: string) => void,
  context: object = {},
): Logger => {
  const at = (level: Level) => (fields: object, message: string) => send(level, { ...context, ...fields }, message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => forwardingLogger(send, { ...context, ...fields }),
  }
}
