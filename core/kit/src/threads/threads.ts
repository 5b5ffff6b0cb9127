import type { ResourceLimits } from 'node:worker_threads'
import { failure, fromErrorData, loggable } from '@sallyport/core/errors'
import { Slots } from '../async/slots.js'
import type { Requester, SlotsOptions } from '../async/slots.js'
import { untilAborted } from '../async/until-aborted.js'
import type { Job } from './protocol.js'
import { Thread } from './thread.js'
import type { ThreadFailure } from './thread.js'

/** A job did not finish: it took too long or too much memory, or its thread broke. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'

  constructor(
    readonly reason: ThreadFailure['failure'],
    cause?: unknown,
  ) {
    super(`a job in a thread: ${reason}`, cause instanceof Error ? { cause } : undefined)
    loggable(this)
  }
}

export interface ThreadsOptions extends SlotsOptions {
  /** The maximum number of threads; each is started when it is first needed. */
  readonly count: number
  /** Jobs that may wait. */
  readonly maxWaiting: number
  readonly memory: ResourceLimits
  /** Milliseconds after which a thread that does nothing is ended. Default: never. */
  readonly idleTimeout?: number
}

/**
 * Does jobs in threads, where long work blocks nobody and can be stopped: a thread that takes too long or too much
 * memory is replaced. Tenants take turns.
 */
export class Threads {
  private readonly slots: Slots
  private readonly free: { readonly thread: Thread; readonly timer: NodeJS.Timeout | undefined }[] = []
  private readonly busy = new Set<Thread>()
  private stopped = false

  constructor(private readonly options: ThreadsOptions) {
    this.slots = new Slots(options.count, options.maxWaiting, options)
  }

  /**
   * @param limit milliseconds of work
   * @throws JobFailure, overloaded, not_ready once stopped, the signal's reason, what the job throws
   */
  run<Output>(job: Job, requester: Requester, limit: number): Promise<Output> {
    const done = this.slots.run(requester, () => this.reply<Output>(job, requester.signal, limit))
    return untilAborted(done, requester.signal)
  }

  /** Refuses waiting jobs and ends running ones. */
  async stop(): Promise<void> {
    this.stopped = true
    this.slots.close()
    await Promise.all([this.endIdle(), ...[...this.busy].map((thread) => thread.stop())])
  }

  /** Ends the idle threads; later jobs start new ones. */
  async endIdle(): Promise<void> {
    const threads = this.free.splice(0).map(({ thread, timer }) => (clearTimeout(timer), thread))
    await Promise.all(threads.map((thread) => thread.stop()))
  }

  private async reply<Output>(job: Job, signal: AbortSignal, limit: number): Promise<Output> {
    const thread = this.takeThread()
    const reply = await thread.ask(job, signal, limit)
    this.busy.delete(thread)
    if ('failure' in reply) {
      if (this.stopped) throw failure('not_ready', { state: 'draining' })
      await thread.stop()
      // Earlier jobs may have filled the memory of the thread.
      if (reply.failure === 'out of memory' && thread.jobsDone > 0) return this.reply(job, signal, limit)
      throw new JobFailure(reply.failure, reply.cause)
    }
    this.putBack(thread)
    if ('value' in reply) return reply.value as Output
    if ('thrown' in reply) throw reply.thrown
    throw fromErrorData(reply.refused)
  }

  private takeThread(): Thread {
    const last = this.free.pop()
    clearTimeout(last?.timer)
    const thread = last?.thread.isUsable ? last.thread : new Thread(this.options.memory)
    this.busy.add(thread)
    return thread
  }

  private putBack(thread: Thread): void {
    if (this.stopped) return void thread.stop()
    const { idleTimeout } = this.options
    const timer = idleTimeout === undefined ? undefined : setTimeout(() => this.retire(thread), idleTimeout).unref()
    this.free.push({ thread, timer })
  }

  private retire(thread: Thread): void {
    const at = this.free.findIndex((one) => one.thread === thread)
    if (at >= 0) this.free.splice(at, 1)
    void thread.stop()
  }
}
