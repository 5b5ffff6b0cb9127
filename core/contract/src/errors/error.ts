import { errorTable } from './table.js'
import type { ErrorCode, ErrorDetails, Message } from './table.js'

const brand = Symbol.for('sallyport.error')

/** An error of the table. `cause` is for the log and never leaves the server. */
export class SallyportError extends Error {
  readonly [brand] = true
  override readonly name = 'SallyportError'
  /** Seconds after which to try again, where that is known. */
  readonly retryAfter: number | undefined

  constructor(
    readonly code: ErrorCode,
    readonly details: Readonly<Record<string, unknown>>,
    extra: ErrorExtra = {},
  ) {
    const message = errorTable[code] as Message<Readonly<Record<string, unknown>>>
    super(message(details), 'cause' in extra ? { cause: extra.cause } : undefined)
    this.retryAfter = extra.retryAfter
  }
}

export interface ErrorExtra {
  cause?: unknown
  retryAfter?: number | undefined
}

/** Makes an error of the table: `throw failure('model_not_found', { model, available })`. */
export const failure = <Code extends ErrorCode>(
  code: Code,
  details: ErrorDetails<Code>,
  extra?: ErrorExtra,
): SallyportError => new SallyportError(code, details as Readonly<Record<string, unknown>>, extra)

/** Recognises errors of any copy of the core in the process. */
export const isSallyportError = (value: unknown): value is SallyportError => value instanceof Error && brand in value

/** Whether only the log says what went wrong, and not the message. */
export const refersToLog = ({ code }: SallyportError): boolean =>
  code === 'internal' || code === 'invalid_backend_result'

/** What the log would say of such an error: its cause, which names what went wrong, and where. */
export const loggedCause = (error: unknown): Error | undefined =>
  isSallyportError(error) && refersToLog(error) && error.cause instanceof Error ? error.cause : undefined

/** An error of the table as plain data, for crossing processes. */
export interface ErrorData {
  code: ErrorCode
  details: Record<string, unknown>
  retryAfter?: number
}

/** Anything other than an error of the table becomes `internal`, without its text. */
export const toErrorData = (error: unknown): ErrorData =>
  isSallyportError(error)
    ? {
        code: error.code,
        details: { ...error.details },
        ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      }
    : { code: 'internal', details: {} }

/** @throws TypeError for a code that the table does not have */
export const fromErrorData = ({ code, details, retryAfter }: ErrorData): SallyportError => {
  if (!Object.hasOwn(errorTable, code)) throw new TypeError('the error has a code that the table does not have')
  return new SallyportError(code, details, { retryAfter })
}

/** The code of an error of the operating system or of Node, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
