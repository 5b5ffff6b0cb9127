import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { describeAllowed } from '@sallyport/kit/schemas'
import { isRecord, pathOfPointer, showPath } from '@sallyport/kit/json'
import { nearest } from '@sallyport/kit/text'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { jsonNouns, missingProblem } from './missing-field.js'
import { dropAbsent } from './normalise.js'
import type { JsonObject } from './parse.js'
import { ownKeywords } from './schema.js'
import type { BodySchema, Schema } from './schema.js'

/** Checks an object against a schema and returns it as what the schema describes. */
export type Validator<Body> = (body: JsonObject) => Body

/** Compiles schemas; one per application, because it keeps what it has compiled. */
export class ValidatorFactory {
  private readonly ajv = new Ajv2020({
    verbose: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    // The schemas are our own and a test validates them; both take as long as compiling itself.
    validateSchema: false,
    code: { optimize: false },
  })

  constructor() {
    this.ajv.addVocabulary([...ownKeywords])
  }

  /** @throws (the validator) invalid_request, which names the field and says what is allowed */
  compile<Body>(schema: BodySchema<Body>): Validator<Body> {
    const validate = this.ajv.compile<Body>(schema)
    return (body) => {
      dropAbsent(schema, body)
      if (validate(body)) return body
      const [error] = validate.errors ?? []
      throw error ? explain(error, body) : failure('invalid_request', { problem: 'the body is invalid' })
    }
  }
}

const explain = (
  { keyword, instancePath, params, parentSchema, data }: ErrorObject,
  body: JsonObject,
): SallyportError => {
  const path = pathOfPointer(instancePath, body)
  const schema = (parentSchema ?? {}) as Schema
  // Whoever misspells a member that must be there has written one that is unknown.
  const unknown = unknownIn(schema, data)
  if (unknown !== undefined) {
    const known = Object.keys(schema.properties ?? {})
    const guess = nearest(unknown, known)
    const hint = guess === undefined ? 'there are' : `did you mean "${guess}"? There are`
    const problem = `is unknown: ${hint} ${known.join(', ')}`
    return failure('invalid_request', { field: showPath([...path, unknown]), problem })
  }
  if (keyword === 'required') {
    const { missingProperty: missing } = params as { missingProperty: string }
    return failure('invalid_request', {
      field: showPath([...path, missing]),
      problem: missingProblem(missing, schema),
    })
  }
  const problem = `must be ${describeAllowed(schema, jsonNouns)}`
  return failure('invalid_request', { field: showPath(path), problem })
}

const unknownIn = ({ additionalProperties, properties = {} }: Schema, data: unknown): string | undefined =>
  additionalProperties === false && isRecord(data)
    ? Object.keys(data).find((name) => !Object.hasOwn(properties, name))
    : undefined
