/** The messages between the process and its threads. */

import type { ErrorData } from '@sallyport/core/errors'

/** A job for a thread: the module that does it, and its input. All of it is plain data. */
export interface Job {
  /** URL of the module; its default export is a {@link ThreadModule}. */
  readonly module: string
  readonly input: unknown
  /** The argument of the module, whose handler is made once per thread for each id. */
  readonly setup?: { readonly id: string; readonly value: unknown }
}

interface JobCall {
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal
}

/** Does jobs of one kind. */
export type JobHandler<Input, Output> = (input: Input, call: JobCall) => Output | Promise<Output>

/** The default export of a module for threads. */
export type ThreadModule<Setup, Input, Output> = (
  setup: Setup,
) => JobHandler<Input, Output> | Promise<JobHandler<Input, Output>>

/** The data that a thread starts with. */
export interface ThreadStart {
  /** URLs of modules to import first. */
  readonly imports: readonly string[]
}

export type ToThread = Job | 'cancel'

export type Reply =
  | { readonly value: unknown }
  /** An error of the table. */
  | { readonly refused: ErrorData }
  /** Any other error, which is a mistake in the code and goes to the log. */
  | { readonly thrown: unknown }

/** The first message of a thread. */
export const ready = 'ready'
/** The message of a thread before its reply to each job, when the handler is made: the job's time counts from here. */
export const begun = 'begun'
