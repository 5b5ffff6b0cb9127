import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'
import { importsOfThreads } from './imports.js'
import { begun, ready } from './protocol.js'
import type { Job, Reply, ThreadData, ToThread } from './protocol.js'

/** Milliseconds of work for a thread to begin, and then for it to load the module of a job. */
const startLimit = 30_000
/** On a busy machine a thread waits for a processor: by the clock, a job may take so many times its limit of work. */
const patience = 5
/** Milliseconds for a reply that came while this thread was held up: timers run before messages are heard. */
const grace = 50
/** Milliseconds in which a job that nobody waits for ends by itself. */
const cancelLimit = 1000

/** Why there is no reply. The thread is of no use from then on. */
export interface ThreadFailure {
  readonly failure: 'not started' | 'late' | 'cancelled' | 'out of memory' | 'ended'
  /** For the log. */
  readonly cause?: unknown
}

type Message = typeof ready | Reply

/** Takes one job at a time. A thread at work does not keep the process alive by itself. */
export class Thread {
  private readonly worker: Worker
  private readonly started: Promise<Message | ThreadFailure>
  private hear: (message: Message | ThreadFailure) => void = () => undefined
  private begin: () => void = () => undefined
  private ended: ThreadFailure | undefined
  /** Jobs that it has done. */
  done = 0

  constructor(resourceLimits: ResourceLimits) {
    const workerData: ThreadData = { imports: importsOfThreads() }
    // Regular expressions and schemas of callers run there: the environment, which holds keys, is none of theirs.
    const options = { resourceLimits, workerData, execArgv: [], env: {} }
    this.worker = new Worker(new URL('./main.js', import.meta.url), options)
    this.worker.on('message', (message: Message | typeof begun) =>
      message === begun ? this.begin() : this.hear(message),
    )
    this.worker.on('error', (error) => this.end(endedBy(error)))
    this.worker.on('exit', () => this.end(endedBy(undefined)))
    this.started = this.heard()
    this.worker.unref()
  }

  /** Whether it takes another job. */
  get isUsable(): boolean {
    return this.ended === undefined
  }

  /** @param limit milliseconds of work, without what it takes to load the module and to make its setup */
  async ask(job: Job, signal: AbortSignal, limit: number): Promise<Reply | ThreadFailure> {
    const first = await this.started
    if (first !== ready) return { failure: 'not started', cause: 'failure' in first ? first.cause : undefined }
    if (this.ended) return this.ended
    try {
      this.send(job)
    } catch (error) {
      return { thrown: error }
    }
    const heard = this.heard(limit)
    let timer: NodeJS.Timeout | undefined
    const cancel = () => {
      this.send('cancel')
      timer = setTimeout(() => this.hear({ failure: 'cancelled' }), cancelLimit)
    }
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    const reply = await heard
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    if (reply === ready) return { failure: 'ended', cause: new Error('the thread began twice') }
    if (!('failure' in reply)) this.done += 1
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
    this.ended ??= failure
    this.hear(failure)
  }

  /** The next message, or why there is none. @param limit milliseconds of work once the job has begun */
  private heard(limit = 0): Promise<Message | ThreadFailure> {
    return new Promise((resolve) => {
      const after = (work: number, reason: ThreadFailure['failure']) =>
        afterWork(work, () => this.hear({ failure: reason }))
      let stop = after(startLimit, 'not started')
      this.begin = () => {
        stop()
        stop = after(limit, 'late')
      }
      this.hear = (message) => {
        stop()
        this.begin = () => undefined
        resolve(message)
      }
    })
  }
}

/** Calls back once the process has worked that long, or was kept from it for too long. @returns what stops it */
const afterWork = (limit: number, late: () => void): (() => void) => {
  const [worked, ends] = [workedSince(), performance.now() + patience * limit]
  const look = () => {
    const mayGoOn = worked() < limit && performance.now() < ends
    timer = mayGoOn ? setTimeout(look, limit / 4) : setTimeout(late, grace)
  }
  let timer = setTimeout(look, limit)
  return () => clearTimeout(timer)
}

const endedBy = (cause: unknown): ThreadFailure => {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return { failure: isMemory ? 'out of memory' : 'ended', cause }
}

/** Milliseconds that the process has worked from now on: the thread no longer than that. */
const workedSince = (): (() => number) => {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
