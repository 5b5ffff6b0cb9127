import type { ValidateFunction } from 'ajv/dist/2020.js'
import { LruCache } from '../../lists/lru-cache.js'
import { tooComplex } from '../protocol.js'
import type { Flaw, Job, SchemaProblem } from '../protocol.js'
import { describeAnswer } from './answer-problem.js'
import { compile, isRefusal } from './compile.js'
import { metaProblem } from './meta-schema.js'
import { inspectReferences } from './references.js'
import { propertyNames, compilerProblem, removeForeignKeywords } from './subschemas.js'

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
