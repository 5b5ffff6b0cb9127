import { failure, isSallyportError } from '@sallyport/core'
import { describeAllowed } from '@sallyport/kit/schemas'
import type { Nouns } from '@sallyport/kit/schemas'
import { isRecord, pathOfPointer, showPath } from '@sallyport/kit/json'
import { LruCache } from '@sallyport/kit/lists'
import { nearest } from '@sallyport/kit/text'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { ownKeywords } from '../schemas/schema.js'
import type { BodyOf, JsonObject, Schema } from '../schemas/schema.js'
import { invalidField } from '../invalid-field.js'

/** Checks an object against a schema and returns it with the type that the schema describes. */
export type Validator<Body> = (body: JsonObject) => Body

/** @throws (the validator) invalid_request, which names the field and says what is allowed */
export const validatorOf = <S extends Schema>(schema: S): Validator<BodyOf<S>> => {
  const validate = compiled.getOrMake(JSON.stringify(schema), () => compile(schema)) as ValidateFunction<BodyOf<S>>
  return (body) => {
    dropAbsent(schema, body)
    if (validate(body)) return body
    const [error] = validate.errors ?? []
    throw error ? explain(error, body) : failure('invalid_request', { problem: 'the body is invalid' })
  }
}

/** Validators by the JSON of their schemas: compiling those of a server takes 0.1 s, and a program may have several. */
const compiled = new LruCache<ValidateFunction>(256)

const compile = (schema: Schema): ValidateFunction => {
  ajv ??= newAjv()
  const validate = ajv.compile(schema)
  // AJV would keep every schema that it has compiled.
  ajv.removeSchema(schema)
  return validate
}

let ajv: Ajv2020 | undefined

const newAjv = (): Ajv2020 => {
  const instance = new Ajv2020({
    verbose: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    // The schemas are our own and a test validates them; both take as long as compiling itself.
    validateSchema: false,
    code: { optimize: false },
  })
  instance.addVocabulary([...ownKeywords])
  return instance
}

const explain = ({ keyword, instancePath, params, parentSchema, data }: ErrorObject, body: JsonObject): Error => {
  const path = pathOfPointer(instancePath, body)
  const schema = (parentSchema ?? {}) as Schema
  // A misspelt required member is reported as the unknown one that was written.
  const unknown = unknownIn(schema, data)
  if (unknown !== undefined) {
    const known = Object.keys(schema.properties ?? {})
    const guess = nearest(unknown, known)
    const hint = guess === undefined ? 'there are' : `did you mean "${guess}"? There are`
    return invalidField(showPath([...path, unknown]), `is unknown: ${hint} ${known.join(', ')}`)
  }
  if (keyword === 'required') {
    const { missingProperty: missing } = params as { missingProperty: string }
    return invalidField(showPath([...path, missing]), missingProblem(missing, schema))
  }
  return invalidField(showPath(path), `must be ${describeAllowed(schema, jsonNouns)}`)
}

const unknownIn = ({ additionalProperties, properties = {} }: Schema, data: unknown): string | undefined =>
  additionalProperties === false && isRecord(data)
    ? Object.keys(data).find((name) => !Object.hasOwn(properties, name))
    : undefined

const jsonNouns: Nouns = { integer: 'an integer', text: 'a string', list: 'an array', map: 'an object' }

const missingProblem = (name: string, { properties }: Schema): string => {
  const known = properties?.[name]
  return `is required${known ? `: give ${describeAllowed(known, jsonNouns)}` : ''}`
}

/**
 * A refused field may hold what a missing one should: `{"input": "x"}` where `text` is required. The error then names
 * both, the missing one first.
 * @returns the error itself where no required field is missing
 */
export const mentionMissingField = (error: unknown, schema: Schema, body: JsonObject): unknown => {
  const missing = schema.required?.find((name) => (body[name] ?? null) === null)
  if (missing === undefined || !isSallyportError(error)) return error
  return invalidField(missing, `${missingProblem(missing, schema)}; ${error.message}`)
}

/**
 * Deletes fields that count as absent: `null` in a documented field, at any depth, and `""` where the schema says so.
 * Elements of arrays stay, and so do members of values whose fields are not documented (a JSON Schema).
 */
const dropAbsent = (schema: Schema, value: unknown): void => {
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) dropAbsent(schema.items, item)
  } else if (isRecord(value) && schema.properties) dropAbsentFields(schema.properties, value)
}

const dropAbsentFields = (properties: Readonly<Record<string, Schema>>, value: JsonObject): void => {
  for (const key of Object.keys(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!schema) continue
    const inner = value[key]
    if (inner === null || (inner === '' && schema['x-empty-is-absent'])) Reflect.deleteProperty(value, key)
    else dropAbsent(schema, inner)
  }
}
