import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'
import { onAbort } from '../async/on-abort.js'
import { importsOfThreads } from './imports.js'
import { begun, ready } from './protocol.js'
import type { Job, Reply, ThreadStart, ToThread } from './protocol.js'

/** Milliseconds of work in which a thread must start, and in which it must load the module of a job. */
const startLimit = 30_000
/** How many times its limit of work a job may take by the clock: on a busy machine a thread waits for a processor. */
const clockFactor = 5
/**
 * Milliseconds of grace for a reply that came while this thread was blocked: timers run before messages are delivered.
 */
const graceMilliseconds = 50
/** Milliseconds in which a cancelled job must end by itself. */
const cancelLimit = 1000

/** Why there is no reply. The thread cannot be used any more. */
export interface ThreadFailure {
  readonly failure: 'not started' | 'late' | 'cancelled' | 'out of memory' | 'ended'
  /** For the log. */
  readonly cause?: unknown
}

type Message = typeof ready | Reply

/** A worker thread for one job at a time. It does not keep the process alive by itself. */
export class Thread {
  private readonly worker: Worker
  private readonly started: Promise<Message | ThreadFailure>
  private settle: (message: Message | ThreadFailure) => void = () => undefined
  private onBegin: () => void = () => undefined
  private ending: ThreadFailure | undefined
  /** How many jobs it has finished. */
  jobsDone = 0

  constructor(resourceLimits: ResourceLimits) {
    const workerData: ThreadStart = { imports: importsOfThreads() }
    // Regular expressions and schemas of callers run there and must not see the environment, which holds keys.
    const options = { resourceLimits, workerData, execArgv: [], env: {} }
    this.worker = new Worker(new URL('./main.js', import.meta.url), options)
    this.worker.on('message', (message: Message | typeof begun) =>
      message === begun ? this.onBegin() : this.settle(message),
    )
    this.worker.on('error', (error) => this.end(endedBy(error)))
    this.worker.on('exit', () => this.end(endedBy(undefined)))
    this.started = this.nextMessage()
    this.worker.unref()
  }

  /** Whether it takes another job. */
  get isUsable(): boolean {
    return this.ending === undefined
  }

  /** @param limit milliseconds of work, without what it takes to load the module and to make its setup */
  async ask(job: Job, signal: AbortSignal, limit: number): Promise<Reply | ThreadFailure> {
    const first = await this.started
    if (first !== ready) return { failure: 'not started', cause: 'failure' in first ? first.cause : undefined }
    if (this.ending) return this.ending
    try {
      this.send(job)
    } catch (error) {
      return { thrown: error }
    }
    const message = this.nextMessage(limit)
    let timer: NodeJS.Timeout | undefined
    const cancel = () => {
      this.send('cancel')
      timer = setTimeout(() => this.settle({ failure: 'cancelled' }), cancelLimit)
    }
    if (signal.aborted) cancel()
    const unlink = onAbort(signal, cancel)
    const reply = await message
    clearTimeout(timer)
    unlink()
    if (reply === ready) return { failure: 'ended', cause: new Error('the thread began twice') }
    if (!('failure' in reply)) this.jobsDone += 1
    return reply
  }

  async stop(): Promise<void> {
    this.end(endedBy(undefined))
    await this.worker.terminate()
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message)
  }

  private end(failure: ThreadFailure): void {
    this.ending ??= failure
    this.settle(failure)
  }

  /** The next message, or why there is none. @param limit milliseconds of work once the job has begun */
  private nextMessage(limit = 0): Promise<Message | ThreadFailure> {
    return new Promise((resolve) => {
      const after = (work: number, reason: ThreadFailure['failure']) =>
        afterWork(work, () => this.settle({ failure: reason }))
      let stop = after(startLimit, 'not started')
      this.onBegin = () => {
        stop()
        stop = after(limit, 'late')
      }
      this.settle = (message) => {
        stop()
        this.onBegin = () => undefined
        resolve(message)
      }
    })
  }
}

/**
 * Calls back once the process has used the processor for that long, or has waited too long for it.
 * @returns what cancels that
 */
const afterWork = (limit: number, late: () => void): (() => void) => {
  const [worked, ends] = [workedSince(), performance.now() + clockFactor * limit]
  const check = () => {
    const mayGoOn = worked() < limit && performance.now() < ends
    timer = mayGoOn ? setTimeout(check, limit / 4) : setTimeout(late, graceMilliseconds)
  }
  let timer = setTimeout(check, limit)
  return () => clearTimeout(timer)
}

const endedBy = (cause: unknown): ThreadFailure => {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return { failure: isMemory ? 'out of memory' : 'ended', cause }
}

/** Measures milliseconds of processor time of the whole process, which the thread cannot exceed. */
const workedSince = (): (() => number) => {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
