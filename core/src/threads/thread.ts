import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'
import { hasPluginLoader } from '../plugins/register.js'
import { ready } from './protocol.js'
import type { Job, Reply, ThreadData, ToThread } from './protocol.js'

/** Milliseconds for a thread to begin. */
const startLimit = 30_000
/** So many times as long a thread may wait for a processor on a busy machine. */
const patience = 5
/** For what was said while this thread was held up: it is heard after the timers. */
const grace = 50
/** Milliseconds in which a job that nobody waits for ends by itself. */
const cancelLimit = 1000

/** Why there is no reply: of no use is the thread from then on. */
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
  private ended: ThreadFailure | undefined
  /** Jobs that it has done. */
  done = 0

  constructor(resourceLimits: ResourceLimits) {
    const workerData: ThreadData = { importsPlugins: hasPluginLoader() }
    this.worker = new Worker(new URL('./main.js', import.meta.url), { resourceLimits, workerData, execArgv: [] })
    this.worker.on('message', (message: Message) => this.hear(message))
    this.worker.on('error', (error) => this.end(endedBy(error)))
    this.worker.on('exit', () => this.end(endedBy(undefined)))
    this.started = this.heard(startLimit)
    this.worker.unref()
  }

  /** Whether it takes another job. */
  get isUsable(): boolean {
    return this.ended === undefined
  }

  /** @param limit milliseconds of work */
  async ask(job: Job, signal: AbortSignal, limit: number): Promise<Reply | ThreadFailure> {
    const first = await this.started
    if (first !== ready) return { failure: 'not started', cause: first }
    if (this.ended) return this.ended
    const heard = this.heard(limit)
    let timer: NodeJS.Timeout | undefined
    const cancel = () => {
      this.send('cancel')
      timer = setTimeout(() => this.hear({ failure: 'cancelled' }), cancelLimit)
    }
    this.send(job)
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

  /** The next message, or why there is none. */
  private heard(limit: number): Promise<Message | ThreadFailure> {
    return new Promise((resolve) => {
      const [worked, ends] = [workedSince(), performance.now() + patience * limit]
      const late = () => {
        const mayGoOn = worked() < limit && performance.now() < ends
        timer = mayGoOn ? setTimeout(late, limit / 4) : setTimeout(() => this.hear({ failure: 'late' }), grace)
      }
      let timer = setTimeout(late, limit)
      this.hear = (message) => {
        clearTimeout(timer)
        resolve(message)
      }
    })
  }
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
