import { isSallyportError, SallyportError } from './error.js'

/**
 * The error with another name of its field, where it names one: for who asks another model on behalf of a request,
 * and was told the place in what he asked (`images[0].image`).
 */
export const renamedField = <Thrown>(error: Thrown, rename: (field: string) => string): Thrown | SallyportError => {
  if (!isSallyportError(error)) return error
  const { code, details, cause, retryAfter } = error
  if (typeof details['field'] !== 'string') return error
  const field = rename(details['field'])
  return new SallyportError(code, { ...details, field }, { retryAfter, ...(cause !== undefined && { cause }) })
}
