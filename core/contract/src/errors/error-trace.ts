import { isSallyportError } from './error.js'
import { isLoggable, originOf } from './log-marks.js'
import type { ErrorOrigin } from './log-marks.js'
import type { ErrorCode } from './table.js'

/** An error for the log, without messages that may quote users. */
export interface ErrorTrace extends Partial<ErrorOrigin> {
  readonly name: string
  readonly code?: string
  /** The message, only where it is ours and contains no text of users. */
  readonly message?: string
  /** Any other message, which may quote users. Absent unless requested. */
  readonly foreignMessage?: string
  /** Where the error was thrown: functions, files and lines, nearest first. */
  readonly frames: readonly string[]
  readonly cause?: ErrorTrace
  /** The errors that an `AggregateError` holds. */
  readonly errors?: readonly ErrorTrace[]
}

const frame = /^ {4}at \S/
const maxFrame = 500
const plainCode = /^[\w.-]{1,64}$/
const maxFrames = 16
/** An error may be its own cause, or one of many in a row. */
const maxDepth = 8
const maxErrors = 8

/** Errors of the table whose messages may quote the request. */
const quoting: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'invalid_json',
  'invalid_output',
  'unsupported',
  'context_exceeded',
  'forbidden',
  'route_not_found',
  'method_not_allowed',
  'model_not_found',
  'response_not_found',
  'previous_response_not_found',
  'unsupported_media',
])

/**
 * Which messages a trace has: `own`, only ours; `separate`, those of others, too, as `foreignMessage`; `all`, every one
 * as `message`, which is safe before the first request.
 */
type Messages = 'own' | 'separate' | 'all'

/**
 * An error with its causes, as plain data. A value that is not an error has the name of its type and, as the message of
 * others, its text.
 */
export const errorTrace = (error: unknown, messages: Messages = 'own', depth = 0): ErrorTrace => {
  if (!(error instanceof Error)) return { name: typeof error, ...messageOf(textOf(error), messages), frames: [] }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const deeper = depth < maxDepth
  return {
    name: plainCode.test(error.name) ? error.name : 'Error',
    ...(typeof code === 'string' && plainCode.test(code) ? { code } : {}),
    ...originOf(error),
    ...(isOwn(error) ? { message: error.message } : messageOf(error.message, messages)),
    frames: framesOf(error),
    ...(cause === undefined || !deeper ? {} : { cause: errorTrace(cause, messages, depth + 1) }),
    ...(error instanceof AggregateError && deeper ? { errors: tracesOf(error, messages, depth + 1) } : {}),
  }
}

/** Empty where the value cannot be converted: it has no prototype, or its `toString` throws. */
const textOf = (value: unknown): string => {
  try {
    return String(value)
  } catch {
    return ''
  }
}

const tracesOf = ({ errors }: AggregateError, messages: Messages, depth: number): ErrorTrace[] =>
  errors.slice(0, maxErrors).map((error: unknown) => errorTrace(error, messages, depth))

const isOwn = (error: Error): boolean => isLoggable(error) || (isSallyportError(error) && !quoting.has(error.code))

const messageOf = (text: string, messages: Messages): Pick<ErrorTrace, 'message' | 'foreignMessage'> => {
  if (messages === 'own') return {}
  return messages === 'all' ? { message: text } : { foreignMessage: text }
}

/**
 * The stack begins with the name and the message, which may look like frames itself. Where the message has changed
 * since, the end of the first one is not known, and there are no frames.
 */
const framesOf = ({ message, stack }: { readonly message: string; readonly stack?: unknown }): string[] => {
  // A library that sets `Error.prepareStackTrace` may have left a list.
  if (typeof stack !== 'string') return []
  const name = /^[^\n:]*(?:: )?/.exec(stack)?.[0].length ?? 0
  if (!stack.startsWith(`${message}\n`, name)) return []
  const lines = stack.slice(name + message.length).split('\n')
  const first = lines.findLastIndex((line) => !frame.test(line)) + 1
  return lines.slice(first, first + maxFrames).map((line) => line.trim().slice(0, maxFrame))
}
