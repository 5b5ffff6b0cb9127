import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { failure } from '@sallyport/core/errors'
import type { Requester } from '../async/slots.js'
import type { Job } from './protocol.js'
import { JobFailure, Threads } from './threads.js'

/** UTF-16 code units of the longest text that is read in this thread: to send it to another would take longer. */
const maxLocalText = 8192

/** At least two, since the text of one tenant must not wait for that of another. */
const count = Math.max(2, Math.min(4, availableParallelism() - 1))
const maxWaiting = 4096
/** Megabytes. A text of 4 MB that is all findings takes half of it. */
const memory = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 }
/** Milliseconds after which idle threads give their memory back. */
const idleTimeout = 60_000

/** Milliseconds of work for a text, and for each unit of it: ten times what the slowest texts take. */
const [limit, limitPerUnit] = [10_000, 0.05]

let threads: Threads | undefined
let users = 0

/** One pool for the process: the machine has no more cores for a second kernel. */
const pool = (): Threads => (threads ??= new Threads({ count, perTenant: count - 1, maxWaiting, memory, idleTimeout }))

/**
 * A job in the threads that all detectors of the process share; no tenant has all of them.
 * @param length UTF-16 code units of text in the input
 * @throws safeguard_unavailable where it takes too long or too much memory; overloaded, the signal's reason, what the
 * work throws
 */
export const inSharedThread = async <Output>(job: Job, length: number, requester: Requester): Promise<Output> => {
  try {
    return await pool().run<Output>(job, requester, limit + length * limitPerUnit)
  } catch (error) {
    throw error instanceof JobFailure ? jobError(error) : error
  }
}

/** The text of a job, with what comes before it. */
interface TextOfJob {
  readonly before?: string
  readonly text: string
  /** How many times as long as usual a unit of the text may take. Default: 1. */
  readonly effort?: number
}

/** Two ways to the same result. */
interface Ways<Output, Result> {
  /** Reads a short text in this thread. */
  readonly here: () => Result | Promise<Result>
  /** Makes the result from the output of another thread. */
  readonly unpack: (output: Output) => Result | Promise<Result>
}

/**
 * Does a job in a shared thread where its text is long or takes long, and here where it is short.
 * @throws as {@link inSharedThread}
 */
export const inThreadIfLong = <Output, Result>(
  job: Job,
  { before = '', text, effort = 1 }: TextOfJob,
  requester: Requester,
  { here, unpack }: Ways<Output, Result>,
): Result | Promise<Result> =>
  text.length * effort <= maxLocalText
    ? here()
    : inSharedThread<Output>(job, before.length + text.length, requester).then(unpack)

/** The shared threads as one detector uses them. */
export class SharedThreads<Setup, Input, Output> {
  private readonly id = randomUUID()
  private closed = false

  /** @param module whose default export is a ThreadModule of these types */
  constructor(
    private readonly module: URL,
    private readonly setup: Setup,
  ) {
    users += 1
  }

  /** Reads a text, in a thread where it is long. @throws as {@link inSharedThread} */
  async run<Result>(input: Input, text: TextOfJob, requester: Requester, ways: Ways<Output, Result>): Promise<Result> {
    const setup = { id: this.id, value: this.setup }
    return inThreadIfLong({ module: this.module.href, input, setup }, text, requester, ways)
  }

  /** The last detector that closes ends the idle threads; busy ones may work for another kernel. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    users -= 1
    if (users === 0) await threads?.endIdle()
  }
}

/** Failures that a text can cause; all others are faults of the code. */
const reasonsOfTexts: ReadonlySet<JobFailure['reason']> = new Set(['late', 'cancelled', 'out of memory'])

/** The error for a text that was not checked because its job did not finish. */
export const jobError = (cause: JobFailure) => {
  if (!reasonsOfTexts.has(cause.reason)) return failure('internal', {}, { cause })
  const problem = 'a text takes too long or too much memory to be checked: send less at a time'
  return failure('safeguard_unavailable', { problem }, { cause })
}
