/** What is said of a required field that is not there. */

import { failure, isSallyportError } from '@sallyport/core'
import { describeAllowed } from '@sallyport/kit/schemas'
import type { Nouns } from '@sallyport/kit/schemas'
import type { JsonObject } from './parse.js'
import type { Schema } from './schema.js'

export const jsonNouns: Nouns = { integer: 'an integer', text: 'a string', list: 'an array', map: 'an object' }

export const missingProblem = (name: string, { properties }: Schema): string => {
  const known = properties?.[name]
  return `is required${known ? `: give ${describeAllowed(known, jsonNouns)}` : ''}`
}

/**
 * A field that is refused may hold what another one lacks: `{"input": "x"}` where `text` is required. Both are said
 * then, the missing one first.
 * @returns the error itself where no required field is missing
 */
export const besideMissingField = (error: unknown, schema: Schema, body: JsonObject): unknown => {
  const missing = schema.required?.find((name) => (body[name] ?? null) === null)
  if (missing === undefined || !isSallyportError(error)) return error
  return failure('invalid_request', {
    field: missing,
    problem: `${missingProblem(missing, schema)}; ${error.message}`,
  })
}
