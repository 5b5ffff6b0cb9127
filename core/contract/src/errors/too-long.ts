import { failure, isSallyportError } from './error.js'
import type { ErrorDetails } from './table.js'

/** The refusal of a text that is too long, naming the field that the text is in. Other errors stay as they are. */
export const tooLongAt = (field: string, error: unknown): unknown =>
  isSallyportError(error) && error.code === 'context_exceeded'
    ? failure('context_exceeded', { ...(error.details as ErrorDetails<'context_exceeded'>), field }, { cause: error })
    : error
