/** Renames the fields in errors, for code that makes a call to serve another request. */

import { failure, isSallyportError, SallyportError } from './error.js'
import type { ErrorDetails } from './table.js'

/**
 * The error with its `field` renamed, if it has one, so that it names a field of the original request, not of the inner
 * call (`images[0].image`). Other errors are returned unchanged.
 */
export const withRenamedField = <Thrown>(error: Thrown, rename: (field: string) => string): Thrown | SallyportError => {
  if (!isSallyportError(error)) return error
  const { code, details, cause, retryAfter } = error
  if (typeof details['field'] !== 'string') return error
  const field = rename(details['field'])
  return new SallyportError(code, { ...details, field }, { retryAfter, ...(cause !== undefined && { cause }) })
}

/** Converts the position in an error of a partial request (`inputs[1].image`) to that of the whole request. */
export const withInputIndex = (error: unknown, indexOf: (index: number) => number): unknown =>
  withRenamedField(error, (field) =>
    field.replace(/^inputs\[(\d+)\]/, (_, index: string) => `inputs[${indexOf(Number(index))}]`),
  )

/** Adds to `context_exceeded` the field of the text. Other errors are returned unchanged. */
export const tooLongAt = (field: string, error: unknown): unknown =>
  isSallyportError(error) && error.code === 'context_exceeded'
    ? failure('context_exceeded', { ...(error.details as ErrorDetails<'context_exceeded'>), field }, { cause: error })
    : error
