import type { ValidateFunction } from 'ajv/dist/2020.js'
import { RecentlyUsed } from '../../lists/recently-used.js'
import type { Job, Problem } from '../protocol.js'
import { tooComplex } from '../protocol.js'
import { describeAnswer } from './answer-problem.js'
import { compile } from './compile.js'
import { metaProblem } from './meta-schema.js'
import { inspectReferences } from './references.js'
import { namesIn, compilerProblem, withoutForeign } from './subschemas.js'

/** A schema that answers can be checked against. */
interface Compiled {
  readonly validate: ValidateFunction
  /** Of properties: an error shows no other names. */
  readonly names: ReadonlySet<string>
}

/** By the hash of the schema. */
const compiled = new RecentlyUsed<Compiled>(128)

/** Whatever else a compiler refuses. */
const notUnderstood: Problem = { path: [], problem: 'must be a JSON Schema: something in it contradicts the rest' }

export const answerTo = (job: Job): Problem | undefined => {
  try {
    if (job.kind === 'inspect') return inspect(JSON.parse(job.schema))
    const known = compiled.get(job.hash) ?? compileNew(JSON.parse(job.schema))
    if ('problem' in known) return known
    compiled.set(job.hash, known)
    return job.kind === 'validate' ? validate(known, job.answer) : undefined
  } catch (error) {
    // The text is a library's.
    return error instanceof RangeError ? tooComplex : notUnderstood
  }
}

const inspect = (schema: unknown): Problem | undefined => metaProblem(schema) ?? inspectReferences(schema)

const compileNew = (schema: unknown): Compiled | Problem => {
  const problem = inspect(schema) ?? compilerProblem(schema)
  if (problem) return problem
  const names = namesIn(schema)
  return { validate: compile(withoutForeign(schema)), names }
}

const validate = ({ validate, names }: Compiled, answer: string): Problem | undefined => {
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
