/** Errors that name a field of a request, for whoever asks a model on behalf of another request. */

import { failure, isSallyportError, SallyportError } from './error.js'
import type { ErrorDetails } from './table.js'

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

/** Where an error names one of the inputs of a part of a request (`inputs[1].image`): its place in the whole one. */
export const movedInput = (error: unknown, place: (index: number) => number): unknown =>
  renamedField(error, (field) =>
    field.replace(/^inputs\[(\d+)\]/, (_, index: string) => `inputs[${place(Number(index))}]`),
  )

/** The refusal of a text that is too long, naming the field that the text is in. Other errors stay as they are. */
export const tooLongAt = (field: string, error: unknown): unknown =>
  isSallyportError(error) && error.code === 'context_exceeded'
    ? failure('context_exceeded', { ...(error.details as ErrorDetails<'context_exceeded'>), field }, { cause: error })
    : error
