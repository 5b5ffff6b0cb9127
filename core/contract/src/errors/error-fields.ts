/** Renames the fields in errors, for code that makes a call to serve another request. */

import { isSallyportError, SallyportError } from './error.js'

/**
 * The error with its `field` renamed, if it has one, so that it names a field of the original request, not of the inner
 * call (`images[0].image`). Other errors are returned unchanged.
 */
export const withRenamedField = <Thrown>(error: Thrown, rename: (field: string) => string): Thrown | SallyportError => {
  if (!isSallyportError(error)) return error
  const { field } = error.details
  return typeof field === 'string' ? withField(error, rename(field)) : error
}

const withField = ({ code, details, cause, retryAfter }: SallyportError, field: string): SallyportError =>
  new SallyportError(code, { ...details, field }, { retryAfter, ...(cause !== undefined && { cause }) })

/** Converts the position in an error of a partial request (`inputs[1].image`) to that of the whole request. */
export const withInputIndex = (error: unknown, indexOf: (index: number) => number): unknown =>
  withRenamedField(error, (field) =>
    field.replace(/^inputs\[(\d+)\]/, (_, index: string) => `inputs[${indexOf(Number(index))}]`),
  )

/** Adds to `context_exceeded` the field of the text. Other errors are returned unchanged. */
export const tooLongAt = (field: string, error: unknown): unknown =>
  isSallyportError(error) && error.code === 'context_exceeded' ? withField(error, field) : error
