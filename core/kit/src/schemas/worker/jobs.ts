import type { ValidateFunction } from 'ajv/dist/2020.js'
import { RecentlyUsed } from '../../lists/recently-used.js'
import { tooComplex } from '../protocol.js'
import type { Flaw, Job, Problem } from '../protocol.js'
import { describeAnswer } from './answer-problem.js'
import { compile, isRefusal } from './compile.js'
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
const notUnderstood: Problem = {
  kind: 'schema',
  path: [],
  problem: 'must be a JSON Schema: something in it contradicts the rest',
}

export const answerTo = (job: Job): Problem | undefined => {
  if (job.kind === 'inspect') return ofSchema(inspect(JSON.parse(job.schema)))
  const known = compiled.get(job.hash) ?? compileNew(JSON.parse(job.schema))
  if ('problem' in known) return known
  compiled.set(job.hash, known)
  const flaw = job.kind === 'validate' ? validate(known, job.answer) : undefined
  return flaw && { kind: 'answer', ...flaw }
}

const ofSchema = (flaw: Flaw | undefined): Problem | undefined => flaw && { kind: 'schema', ...flaw }

const inspect = (schema: unknown): Flaw | undefined => metaProblem(schema) ?? inspectReferences(schema)

const compileNew = (schema: unknown): Compiled | Problem => {
  const problem = ofSchema(inspect(schema) ?? compilerProblem(schema))
  if (problem) return problem
  const names = namesIn(schema)
  try {
    return { validate: compile(withoutForeign(schema)), names }
  } catch (error) {
    if (error instanceof RangeError) return tooComplex
    if (isRefusal(error)) return notUnderstood
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
