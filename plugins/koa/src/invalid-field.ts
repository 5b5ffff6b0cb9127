import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'

/**
 * Makes the error about one field of a request.
 * @param field a path in the body, or the name of a form field, header or flag
 */
export const invalidField = (field: string, problem: string): SallyportError =>
  failure('invalid_request', { field, problem })
