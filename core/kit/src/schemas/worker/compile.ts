import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, Options, ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { schemaDraft } from '../schema-draft.js'
import { patternOf } from './patterns.js'

/** The compiler writes its text into code for somebody else to run, which is not done here. */
const regExp = Object.assign((text: string) => patternOf(text) ?? /(?!)/, { code: 'regExp' })

const options: Options = {
  strict: false,
  logger: false,
  // Done before, for a message of our own.
  validateSchema: false,
  meta: false,
  // `toString` is no property of every object.
  ownProperties: true,
  // A definition that is referred to n times is compiled once.
  inlineRefs: false,
  messages: false,
  code: { optimize: false, regExp },
}

/** Whether it is the compiler that refuses a schema: whatever else it throws is a mistake in code. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Ajv.MissingRefError || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)

/** A compiler for each: schemas of different callers have the same `$id`. @throws Error of the library */
export const compile = (schema: unknown): ValidateFunction => {
  const ajv = schemaDraft(schema) === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  // its own keywords (formatMinimum …) are none of JSON Schema
  formats.default(ajv, { keywords: false })
  return ajv.compile(schema as AnySchema)
}
