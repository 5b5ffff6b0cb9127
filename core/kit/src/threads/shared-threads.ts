import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { failure } from '@sallyport/core/errors'
import type { Requester } from '../async/slots.js'
import type { Job } from './protocol.js'
import { JobFailure, Threads } from './threads.js'

/** UTF-16 units of the longest text that is looked at in this thread: to send it to another would take longer. */
const shortText = 8192

/** Two at least: the text of one tenant must not wait for that of another. */
const count = Math.max(2, Math.min(4, availableParallelism() - 1))
const mostWaiting = 4096
/** Megabytes. A text of 4 MB of nothing but findings takes a half of it. */
const memory = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 }
/** Milliseconds after which idle threads give their memory back. */
const idle = 60_000

/** Milliseconds of work for a text, and for each unit of it: ten times what the slowest ones take. */
const [limit, limitPerUnit] = [10_000, 0.05]

let threads: Threads | undefined
let users = 0

/** One pool for the process: the machine has no more cores for a second kernel. */
const pool = (): Threads =>
  (threads ??= new Threads({ count, perTenant: count - 1, places: mostWaiting, memory, idle }))

/**
 * A job in the threads that all detectors of the process share; no tenant has all of them.
 * @param length UTF-16 units of text in the input
 * @throws safeguard_unavailable where it takes too long or too much memory; overloaded, the signal's reason, what the
 * work throws
 */
export const inSharedThread = async <Output>(job: Job, length: number, asking: Requester): Promise<Output> => {
  try {
    return await pool().run<Output>(job, asking, limit + length * limitPerUnit)
  } catch (error) {
    throw error instanceof JobFailure ? unchecked(error) : error
  }
}

/** The text that a job is about, with what stands before it. */
interface TextOfJob {
  readonly before?: string
  readonly text: string
  /** How many times as long as usual each unit of it takes, at most. Default: 1. */
  readonly effort?: number
}

/** The two ways to the same result. */
interface Ways<Output, Result> {
  /** Looks at a short text in this thread. */
  readonly here: () => Result | Promise<Result>
  /** Makes the result of what another thread has sent. */
  readonly unpack: (output: Output) => Result | Promise<Result>
}

/** Does a job in a shared thread where its text is long or takes long, and here where it is short. @throws as {@link inSharedThread} */
export const inThreadIfLong = <Output, Result>(
  job: Job,
  { before = '', text, effort = 1 }: TextOfJob,
  asking: Requester,
  { here, unpack }: Ways<Output, Result>,
): Result | Promise<Result> =>
  text.length * effort <= shortText
    ? here()
    : inSharedThread<Output>(job, before.length + text.length, asking).then(unpack)

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

  /** Looks at a text, in a thread where it is long. @throws as {@link inSharedThread} */
  async run<Result>(input: Input, text: TextOfJob, asking: Requester, ways: Ways<Output, Result>): Promise<Result> {
    const setup = { id: this.id, value: this.setup }
    return inThreadIfLong({ module: this.module.href, input, setup }, text, asking, ways)
  }

  /** The last detector ends the threads; but not those at work, which may be another kernel's. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    users -= 1
    if (users === 0) await threads?.endIdle()
  }
}

/** Failures for which the text is to blame; whatever else ends a job is our own fault. */
const tooMuch: ReadonlySet<JobFailure['reason']> = new Set(['late', 'cancelled', 'out of memory'])

/** What is told of a job that came to no end: the text was not checked. */
export const unchecked = (cause: JobFailure) => {
  if (!tooMuch.has(cause.reason)) return failure('internal', {}, { cause })
  const problem = 'a text takes too long or too much memory to be checked: send less at a time'
  return failure('safeguard_unavailable', { problem }, { cause })
}
