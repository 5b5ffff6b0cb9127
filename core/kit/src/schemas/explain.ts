/** Turns the validator's errors into problems that tell the user what to do. */

import type { ErrorObject } from 'ajv/dist/2020.js'
import { isList, isRecord, pathOfPointer } from '../json/data.js'
import type { Path } from '../json/data.js'
import { describeAllowed, describeActual } from './describe.js'
import { didYouMean, nearest } from '../text/nearest.js'
import type { Problem } from './problem.js'
import type { JsonSchema } from './json-schema.js'
import { inPlaceSubschemas } from './subschemas.js'

export const explain = (errors: readonly ErrorObject[], root: unknown, base: Path): readonly Problem[] => {
  const problems = new Map<string, Problem>()
  for (const error of withoutBranches(errors)) {
    const problem = explainOne(error, [...base, ...pathOfPointer(error.instancePath, root)])
    problems.set(JSON.stringify([problem.path, problem.problem]), problem)
  }
  return [...problems.values()]
}

/**
 * Drops errors that others explain better: the error of an `if`, whose `then` has its own; a key that is missing
 * because it is misspelt; and of an `anyOf` all errors but those of the one branch that is of the value's type or,
 * where there is no such branch, all but the error of the `anyOf` itself.
 */
const withoutBranches = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const dropped = new Set<ErrorObject>(errors.filter(({ keyword }) => keyword === 'if'))
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    // The path of a schema does not tell the items of a list apart.
    const inside = errors.filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(`${union.schemaPath}/`) && `${instancePath}/`.startsWith(`${union.instancePath}/`),
    )
    const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(union.schemaPath.length + 1).split('/')[0]
    const ofWrongType = new Set(inside.filter((error) => isOfWrongType(error, union)).map(branchOf))
    const matching = inside.filter((error) => !ofWrongType.has(branchOf(error)))
    const isOneBranch = new Set(matching.map(branchOf)).size === 1
    for (const error of isOneBranch ? [union, ...inside] : inside)
      if (!isOneBranch || !matching.includes(error)) dropped.add(error)
  }
  return errors.filter((error) => !dropped.has(error) && !isConsequence(error, errors) && !isMisspelt(error, errors))
}

const isOfWrongType = (error: ErrorObject, union: ErrorObject) =>
  error.instancePath === union.instancePath && ['type', 'const', 'enum'].includes(error.keyword)

/** A key with an invalid value is reported as unknown, too, where only a condition knows the key. */
const isConsequence = ({ keyword, params, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean => {
  const path = `${instancePath}/${String(params.unevaluatedProperty).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return (
    keyword === 'unevaluatedProperties' &&
    errors.some((other) => other.instancePath === path || other.instancePath.startsWith(`${path}/`))
  )
}

/** A key that is missing because it is misspelt is reported where it is written. */
const isMisspelt = ({ keyword, params, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean =>
  keyword === 'required' &&
  errors
    .filter((other) => other.keyword === 'additionalProperties' && other.instancePath === instancePath)
    .some((other) => suggestedKey(other) === params.missingProperty)

const explainOne = (error: ErrorObject, path: Path): Problem => {
  const schema = (error.parentSchema ?? {}) as JsonSchema
  const { propertyName, keyword, params } = error
  if (keyword === 'propertyNames') return invalidName(String(params.propertyName), asSchema(schema.propertyNames), path)
  if (propertyName !== undefined) return invalidName(propertyName, schema, path)
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return unknownKey(error, schema, path)
  if (keyword === 'required' || keyword === 'dependentRequired')
    return { path, part: 'key', problem: `"${String(params.missingProperty)}" is missing` }
  const alternatives = keyword === 'anyOf' || keyword === 'oneOf' ? requiredAlternatives(error, schema) : []
  if (alternatives.length) return { path, part: 'key', problem: `${alternatives.join(' or ')} is missing` }
  if (keyword === 'uniqueItems') return { path, problem: 'holds the same thing twice' }
  const allowed = ['not', 'false schema', 'contains'].includes(keyword) ? undefined : describeAllowed(schema)
  const actual = describeActual(error.data, schema)
  return {
    path,
    problem: allowed
      ? `must be ${allowed}, but ${actual}${suggestedValue(error, schema)}`
      : (error.message ?? 'is wrong'),
  }
}

const asSchema = (value: unknown): JsonSchema => (isRecord(value) ? value : {})

const invalidName = (name: string, schema: JsonSchema, path: Path): Problem => ({
  path: [...path, name],
  part: 'key',
  problem: `the key must be ${describeAllowed({ type: 'string', ...schema })}`,
})

const unknownKey = (error: ErrorObject, schema: JsonSchema, path: Path): Problem => {
  const name = unknownName(error)
  const known = knownKeys(schema)
  const meant = suggestedKey(error)
  const problem = known.includes(name)
    ? 'does not go with what is beside it'
    : `unknown key${meant === undefined ? didYouMean(name, known) : `: did you mean "${meant}"?`}`
  return { path: [...path, name], part: 'key', problem }
}

const unknownName = ({ params }: ErrorObject): string => String(params.additionalProperty ?? params.unevaluatedProperty)

/**
 * The key that an unknown one was probably meant to be: one with a similar name, or the only missing key where this is
 * the only unknown one.
 */
const suggestedKey = (error: ErrorObject): string | undefined => {
  const schema = asSchema(error.parentSchema)
  const known = knownKeys(schema)
  const actual = Object.keys(asSchema(error.data))
  const absent = (isList(schema.required) ? schema.required.map(String) : []).filter((key) => !actual.includes(key))
  const unknown = actual.filter((key) => !known.includes(key))
  return nearest(unknownName(error), known) ?? (absent.length === 1 && unknown.length === 1 ? absent[0] : undefined)
}

const knownKeys = (schema: JsonSchema): readonly string[] => [
  ...new Set([...Object.keys(asSchema(schema.properties)), ...inPlaceSubschemas(schema).flatMap(knownKeys)]),
]

/** The keys of `anyOf: [{ required: ['url'] }, { required: ['server'] }]`. */
const requiredAlternatives = ({ data }: ErrorObject, schema: JsonSchema): readonly string[] => {
  const branches = [schema.anyOf, schema.oneOf].find(isList)?.map(asSchema) ?? []
  if (!isRecord(data) || !branches.every(({ required }) => isList(required))) return []
  return branches.map(({ required }) =>
    (isList(required) ? required : []).map((name) => `"${String(name)}"`).join(' with '),
  )
}

/** The value of an enumeration that was probably meant. */
const suggestedValue = ({ data, keyword }: ErrorObject, schema: JsonSchema): string => {
  if (keyword !== 'enum' || typeof data !== 'string' || !isList(schema.enum)) return ''
  const words = schema.enum.filter((value) => typeof value === 'string')
  const meant = nearest(data, words)
  return meant === undefined ? '' : `: did you mean "${meant}"?`
}
