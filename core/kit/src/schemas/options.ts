import type { OptionsOf } from '@sallyport/core'
import { copyData, deepFreeze } from '../json/data.js'
import type { Path } from '../json/data.js'
import { normaliseOptionsSchema } from './options-schema.js'
import { configError } from './problem.js'
import type { Problem, Where } from './problem.js'
import { compileSchema } from './validator.js'
import type { Validate } from './validator.js'
import type { JsonSchema } from './json-schema.js'

/** Where options are in the configuration, for messages. */
interface OptionsPlace {
  readonly path: Path
  readonly where?: Where
}

interface CheckedOptions {
  /** A copy with defaults, frozen; only meaningful without problems. */
  readonly value: object
  readonly problems: readonly Problem[]
}

/** Each schema is compiled once, although every kernel of a process checks its definitions. */
const compiled = new WeakMap<object, Validate>()
const noSchema: JsonSchema = {}

const validatorOf = (schema: JsonSchema): Validate => {
  const known = compiled.get(schema)
  if (known) return known
  const validate = compileSchema(normaliseOptionsSchema(schema))
  compiled.set(schema, validate)
  return validate
}

/** Like {@link compileOptions}, but returns problems as data. @throws Error where the schema itself is wrong */
export const optionsChecker = (schema: JsonSchema = noSchema) => {
  const validate = validatorOf(schema)
  return (given: unknown, path: Path = []): CheckedOptions => {
    const value: unknown = copyData(given ?? {})
    const problems = validate(value, path)
    return { value: deepFreeze(value) as object, problems }
  }
}

/**
 * A function that checks options against a JSON Schema and returns a frozen copy with the defaults filled in. Unknown
 * keys are refused unless the schema says otherwise.
 * @throws Error where the schema itself is wrong
 */
export const compileOptions = <const Schema extends JsonSchema>(
  schema: Schema,
): ((given?: unknown, at?: OptionsPlace) => OptionsOf<Schema>) => {
  const check = optionsChecker(schema)
  return (given, at) => {
    const { value, problems } = check(given, at?.path)
    if (problems.length) throw configError(problems, at?.where)
    return value as OptionsOf<Schema>
  }
}
