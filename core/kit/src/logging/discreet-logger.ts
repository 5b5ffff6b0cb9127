/** Keeps what users wrote out of the log: exceptions of backends and libraries may quote it. */

import type { LogConfig, Logger } from '@sallyport/core'
import { errorTrace } from '@sallyport/core/errors'
import type { ErrorTrace } from '@sallyport/core/errors'

/**
 * A logger for which errors in fields, with their causes, become plain data without messages, and what a process
 * printed last (`lastOutput`) is left out. Our own messages stay. With `full` everything stays.
 */
export const discreetLogger = (
  logger: Logger,
  { exceptions }: Pick<LogConfig, 'exceptions'> = { exceptions: 'frames' },
): Logger => {
  const whole = exceptions === 'full'
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    logger[level](loggedFields(fields, whole), message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => discreetLogger(logger.child(loggedFields(fields, whole)), { exceptions }),
  }
}

const loggedFields = (fields: object, whole: boolean): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]: [string, unknown]) => {
      if (key === 'lastOutput' && !whole) return []
      const trace = value instanceof Error ? errorTrace(value, 'separate') : isTrace(value) ? value : undefined
      if (!trace) return [[key, value]]
      return [[key, key === 'err' ? errField(trace, whole) : whole ? trace : withoutForeignMessages(trace)]]
    }),
  )

/** Whether a value is the trace of an error, which is how a model's process sends one. */
const isTrace = (value: unknown): value is ErrorTrace =>
  typeof value === 'object' && value !== null && 'frames' in value && Array.isArray(value.frames) && 'name' in value

const withoutForeignMessages = ({ cause, errors, ...trace }: ErrorTrace): ErrorTrace => ({
  ...(Object.fromEntries(Object.entries(trace).filter(([key]) => key !== 'foreignMessage')) as Omit<
    typeof trace,
    'foreignMessage'
  >),
  ...(cause && { cause: withoutForeignMessages(cause) }),
  ...(errors && { errors: errors.map(withoutForeignMessages) }),
})

/** A trace with the member names that readers of logs expect of `err`. */
const errField = (
  { name, message, foreignMessage, frames, cause, errors, ...trace }: ErrorTrace,
  whole: boolean,
): object => {
  const text = message ?? (whole ? foreignMessage : undefined)
  return {
    type: name,
    ...trace,
    ...(text === undefined ? {} : { message: text }),
    stack: [text === undefined ? name : `${name}: ${text}`, ...frames.map((frame) => `    ${frame}`)].join('\n'),
    ...(cause && { cause: errField(cause, whole) }),
    ...(errors && { aggregateErrors: errors.map((error) => errField(error, whole)) }),
  }
}
