/** What the process and its threads say to each other. */

import type { ErrorData } from '@sallyport/core/errors'

/** A piece of work for a thread: a function of a module, and what it is given. All of it is plain data. */
export interface Job {
  /** URL of the module; its default export is a {@link ThreadModule}. */
  readonly module: string
  readonly input: unknown
  /** What the module works with, made once per thread for each id. */
  readonly setup?: { readonly id: string; readonly value: unknown }
}

/** What a job is done with. */
interface JobCall {
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal
}

/** Does jobs of one kind. */
export type Work<Input, Output> = (input: Input, call: JobCall) => Output | Promise<Output>

/** The default export of a module for threads. */
export type ThreadModule<Setup, Input, Output> = (setup: Setup) => Work<Input, Output> | Promise<Work<Input, Output>>

/** What a thread begins with. */
export interface ThreadData {
  /** URLs of modules to import first. */
  readonly imports: readonly string[]
}

export type ToThread = Job | 'cancel'

export type Reply =
  | { readonly value: unknown }
  /** An error of the table. */
  | { readonly refused: ErrorData }
  /** What else was thrown, for the log: a mistake in the code. */
  | { readonly thrown: unknown }

/** The first thing that a thread says. */
export const ready = 'ready'
/** What a thread says before its reply to each job, when the work is made: from here on the job's time counts. */
export const begun = 'begun'
