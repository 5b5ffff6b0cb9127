import { createHash } from 'node:crypto'
import type { Call } from '@sallyport/core'
import { failure, isSallyportError } from '@sallyport/core/errors'
import { RecentlyUsed } from '../lists/recently-used.js'
import { JobFailure, Threads } from '../threads/threads.js'
import { tooComplex } from './protocol.js'
import type { Job, Problem } from './protocol.js'

/** As it crosses to the thread. */
export interface SchemaText {
  /** JSON. */
  readonly schema: string
  readonly hash: string
}

export const schemaText = (schema: unknown): SchemaText => {
  const text = JSON.stringify(schema)
  return { schema: text, hash: createHash('sha256').update(text).digest('base64') }
}

interface Known {
  readonly problem: Problem | undefined
  /** Milliseconds, of the clock of `performance`. */
  readonly until: number
}

/** Jobs that may wait. */
const mostWaiting = 1024
/** Schemas of which it is remembered what is wrong with them, or that nothing is. */
const mostKnown = 1024
/** Milliseconds: what was too complex may only have met with a busy machine. */
const forgiven = 60_000

/** Megabytes. A schema that needs more ends the thread, and nothing else. */
const memory = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 4,
}
/** Milliseconds of work for a job. */
const jobLimit = 1000
/** Of whatever else ends a job, the schema is innocent. */
const complexity: ReadonlySet<JobFailure['reason']> = new Set(['late', 'out of memory'])

const module = new URL('./worker/main.js', import.meta.url).href

/** Looks at schemas, and at answers by them, in a thread that is started when it is first needed. One for each kernel. */
export class SchemaChecker {
  private readonly threads = new Threads({ count: 1, places: mostWaiting, memory })
  private readonly known = new RecentlyUsed<Known>(mostKnown)

  /** What is wrong with the schema. @throws overloaded, not_ready, the signal's reason */
  async problemOf(kind: 'inspect' | 'compile', schema: SchemaText, call: Call): Promise<Problem | undefined> {
    const key = `${kind} ${schema.hash}`
    const known = this.known.get(key)
    if (known && known.until > performance.now()) return known.problem
    const problem = await this.done({ kind, ...schema }, call)
    this.remember(key, problem)
    return problem
  }

  /** What is wrong with a text that must be JSON by the schema. @throws overloaded, not_ready, the signal's reason */
  problemOfAnswer(schema: SchemaText, answer: string, call: Call): Promise<Problem | undefined> {
    return this.done({ kind: 'validate', ...schema, answer }, call)
  }

  stop(): Promise<void> {
    return this.threads.stop()
  }

  private async done(job: Job, call: Call): Promise<Problem | undefined> {
    try {
      return await this.threads.run<Problem | undefined>({ module, input: job }, call, jobLimit)
    } catch (error) {
      if (isSallyportError(error) || call.signal.aborted) throw error
      if (error instanceof JobFailure && complexity.has(error.reason)) return tooComplex
      throw failure('internal', {}, { cause: error })
    }
  }

  private remember(key: string, problem: Problem | undefined): void {
    this.known.set(key, { problem, until: problem?.kind === 'complexity' ? performance.now() + forgiven : Infinity })
  }
}
