import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'

/** The error about one field of a request. @param field its path in the body, or its name in a form, a header or a command */
export const invalidField = (field: string, problem: string): SallyportError =>
  failure('invalid_request', { field, problem })
