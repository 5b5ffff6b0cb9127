import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { pathOfPointer } from '../../json/data.js'
import { LruCache } from '../../lists/lru-cache.js'
import { tooComplex } from '../protocol.js'
import type { Flaw, Job, SchemaProblem } from '../protocol.js'
import { schemaDraft } from '../schema-draft.js'
import { metaProblem } from './meta-schema.js'
import { inspectReferences } from './references.js'
import { compilerProblem, patternOf, propertyNames, removeForeignKeywords } from './subschemas.js'

/** A schema that answers can be checked against. */
interface Compiled {
  readonly validate: ValidateFunction
  /** Names of properties in the schema: an error shows no others. */
  readonly names: ReadonlySet<string>
}

/** Keys are hashes of schemas. */
const compiled = new LruCache<Compiled>(128)

/** The problem of schemas that only the compiler refuses. */
const contradiction: SchemaProblem = {
  kind: 'schema',
  path: [],
  problem: 'must be a JSON Schema: something in it contradicts the rest',
}

export const runJob = (job: Job): SchemaProblem | undefined => {
  if (job.kind === 'inspect') return schemaProblem(inspect(JSON.parse(job.schema)).flaw)
  const known = compiled.get(job.hash) ?? compileNew(JSON.parse(job.schema))
  if ('problem' in known) return known
  compiled.set(job.hash, known)
  const flaw = job.kind === 'validate' ? validate(known, job.answer) : undefined
  return flaw && { kind: 'answer', ...flaw }
}

const schemaProblem = (flaw: Flaw | undefined): SchemaProblem | undefined => flaw && { kind: 'schema', ...flaw }

const inspect = (schema: unknown): ReturnType<typeof inspectReferences> => {
  const flaw = metaProblem(schema)
  return flaw ? { flaw, places: [] } : inspectReferences(schema)
}

const compileNew = (schema: unknown): Compiled | SchemaProblem => {
  const { flaw, places } = inspect(schema)
  const problem = schemaProblem(flaw ?? compilerProblem(places))
  if (problem) return problem
  const names = propertyNames(places)
  removeForeignKeywords(places)
  try {
    return { validate: compile(schema), names }
  } catch (error) {
    if (error instanceof RangeError) return tooComplex
    if (isRefusal(error)) return contradiction
    throw error
  }
}

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
const isRefusal = (error: unknown): boolean =>
  error instanceof Ajv.MissingRefError || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)

/**
 * Each schema has a compiler of its own, since schemas of several callers may share an `$id`.
 * @throws Error of the library
 */
const compile = (schema: unknown): ValidateFunction => {
  const ajv = schemaDraft(schema) === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  // The keywords that it adds (formatMinimum …) do not belong to JSON Schema.
  formats.default(ajv, { keywords: false })
  return ajv.compile(schema as AnySchema)
}

const validate = ({ validate, names }: Compiled, answer: string): Flaw | undefined => {
  let value: unknown
  try {
    value = JSON.parse(answer)
  } catch {
    return { path: [], problem: 'is not JSON' }
  }
  try {
    return validate(value) ? undefined : describeAnswer(validate.errors ?? [], value, names)
  } catch (error) {
    if (error instanceof RangeError) return { path: [], problem: 'nests too deep to be checked' }
    throw error
  }
}

/**
 * The fault of an answer, in words that do not quote it.
 * @param errors of the validator, of which the last one is described
 * @param names of properties in the schema; others are not shown
 */
const describeAnswer = (errors: readonly ErrorObject[], answer: unknown, names: ReadonlySet<string>): Flaw => {
  const error = errors.at(-1)
  const path = error ? pathOfPointer(error.instancePath, answer) : []
  return {
    path: path.map((step) => (typeof step === 'number' || names.has(step) ? step : '*')),
    problem: error ? problemOf(error, names) : 'is not valid',
  }
}

const problemOf = ({ keyword, params }: ErrorObject, names: ReadonlySet<string>): string => {
  const { type, missingProperty: missing } = params as { type?: string | string[]; missingProperty?: string }
  switch (keyword) {
    case 'type':
      return `must be of the type ${[type].flat().join(' or ')}`
    case 'required':
      return missing !== undefined && names.has(missing) ? `lacks ${JSON.stringify(missing)}` : 'lacks what is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'has a property that the schema does not know'
    case 'const':
    case 'enum':
      return 'is none of the values that the schema allows'
    case 'false schema':
      return 'must not be there'
    default:
      return `does not fit the schema's "${keyword}"`
  }
}
