import { createHash } from 'node:crypto'
import type { Call } from '@sallyport/core'
import { failure, isSallyportError } from '@sallyport/core/errors'
import { LruCache } from '../lists/lru-cache.js'
import { JobFailure, Threads } from '../threads/threads.js'
import { tooComplex } from './protocol.js'
import type { Job, SchemaProblem } from './protocol.js'

/** A schema as it is sent to the thread. */
export interface SchemaText {
  /** JSON. */
  readonly schema: string
  readonly hash: string
}

export const schemaText = (schema: unknown): SchemaText => {
  const text = JSON.stringify(schema)
  return { schema: text, hash: createHash('sha256').update(text).digest('base64') }
}

interface CheckedSchema {
  readonly problem: SchemaProblem | undefined
  /** Milliseconds, of the clock of `performance`. */
  readonly until: number
}

/** Jobs that may wait. */
const maxWaiting = 1024
/** How many schemas are remembered with their problem, or with none. */
const maxRemembered = 1024
/** Milliseconds after which a schema that was too complex is tried again: the machine may only have been busy. */
const complexityLifetime = 60_000

/** Megabytes. A schema that needs more ends the thread, and nothing else. */
const memory = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 4,
}
/** Milliseconds of work for a job. */
const jobLimit = 1000
/** Failures of a job that a schema can cause; all others are faults of the code. */
const complexityReasons: ReadonlySet<JobFailure['reason']> = new Set(['late', 'out of memory'])

const module = new URL('./worker/main.js', import.meta.url).href

/** Checks schemas, and answers against them, in a thread that is started when first needed. Each kernel has one. */
export class SchemaChecker {
  private readonly threads = new Threads({ count: 1, maxWaiting, memory })
  private readonly checkedSchemas = new LruCache<CheckedSchema>(maxRemembered)

  /** The problem of a schema, if any. @throws overloaded, not_ready, the signal's reason */
  async problemOf(kind: 'inspect' | 'compile', schema: SchemaText, call: Call): Promise<SchemaProblem | undefined> {
    const key = `${kind} ${schema.hash}`
    const known = this.checkedSchemas.get(key)
    if (known && known.until > performance.now()) return known.problem
    const problem = await this.runJob({ kind, ...schema }, call)
    this.remember(key, problem)
    return problem
  }

  /**
   * The problem of a text that must be JSON that fits the schema, if any.
   * @throws overloaded, not_ready, the signal's reason
   */
  problemOfAnswer(schema: SchemaText, answer: string, call: Call): Promise<SchemaProblem | undefined> {
    return this.runJob({ kind: 'validate', ...schema, answer }, call)
  }

  stop(): Promise<void> {
    return this.threads.stop()
  }

  private async runJob(job: Job, call: Call): Promise<SchemaProblem | undefined> {
    try {
      return await this.threads.run<SchemaProblem | undefined>({ module, input: job }, call, jobLimit)
    } catch (error) {
      if (isSallyportError(error) || call.signal.aborted) throw error
      if (error instanceof JobFailure && complexityReasons.has(error.reason)) return tooComplex
      throw failure('internal', {}, { cause: error })
    }
  }

  private remember(key: string, problem: SchemaProblem | undefined): void {
    this.checkedSchemas.set(key, {
      problem,
      until: problem?.kind === 'complexity' ? performance.now() + complexityLifetime : Infinity,
    })
  }
}
