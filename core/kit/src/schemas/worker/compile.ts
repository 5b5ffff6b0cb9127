import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, Options, ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { schemaDraft } from '../schema-draft.js'
import { patternOf } from './patterns.js'

/** Ajv needs `code` for schemas compiled to a file, which nobody does here. */
const regExp = Object.assign((text: string) => patternOf(text) ?? /(?!)/, { code: 'regExp' })

const options: Options = {
  strict: false,
  logger: false,
  // The schema was validated before, for messages of our own.
  validateSchema: false,
  meta: false,
  // Otherwise every object would have a property `toString`.
  ownProperties: true,
  // A definition that is referred to n times is compiled once.
  inlineRefs: false,
  messages: false,
  code: { optimize: false, regExp },
}

/** Whether the compiler refuses a schema; any other error is a mistake in code. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Ajv.MissingRefError || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)

/**
 * Each schema has a compiler of its own, since schemas of several callers may share an `$id`.
 * @throws Error of the library
 */
export const compile = (schema: unknown): ValidateFunction => {
  const ajv = schemaDraft(schema) === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  // The keywords that it adds (formatMinimum …) do not belong to JSON Schema.
  formats.default(ajv, { keywords: false })
  return ajv.compile(schema as AnySchema)
}
