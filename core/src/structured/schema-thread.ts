import { Worker } from 'node:worker_threads'
import { ready } from './protocol.js'
import type { Job, Reply } from './protocol.js'

/** Megabytes. A schema that needs more ends the thread, and nothing else. */
const resourceLimits = {
  maxOldGenerationSizeMb: 192,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 4,
}

/** Milliseconds of work for a job, and for the thread to begin. */
const jobLimit = 1000
const startLimit = 30_000
/** So many times as long a thread may wait for a processor on a busy machine. */
const patience = 5
/** For what was said while this thread was held up: it is heard after the timers. */
const grace = 50

/** Why there is no reply: of no use is the thread from then on. */
export interface Failure {
  readonly failure: 'not started' | 'late' | 'out of memory' | 'ended'
  /** For the log. */
  readonly cause?: unknown
}

type Said = typeof ready | Reply

/** Takes one job at a time. */
export class SchemaThread {
  private readonly worker = new Worker(new URL('./worker/main.js', import.meta.url), {
    resourceLimits,
    env: {},
    execArgv: [],
  })
  private readonly started: Promise<Said | Failure>
  private hear: (message: Said) => void = () => undefined
  private giveUp: (failure: Failure) => void = () => undefined
  private ended: Failure | undefined
  /** Jobs that it has done. */
  done = 0

  constructor() {
    this.worker.on('message', (message: Said) => this.hear(message))
    this.worker.on('error', (error) => this.end(endedBy(error)))
    this.worker.on('exit', () => this.end(endedBy(undefined)))
    this.started = this.heard(startLimit)
    this.worker.unref()
  }

  async ask(job: Job): Promise<Reply | Failure> {
    const first = await this.started
    if (first !== ready) return { failure: 'not started', cause: first }
    if (this.ended) return this.ended
    const heard = this.heard(jobLimit)
    this.worker.postMessage(job)
    const reply = await heard
    if (reply === ready) return { failure: 'ended', cause: new Error('the thread began twice') }
    if (!('failure' in reply)) this.done += 1
    return reply
  }

  async stop(): Promise<void> {
    this.end(endedBy(undefined))
    await this.worker.terminate()
  }

  private end(failure: Failure): void {
    this.ended ??= failure
    this.giveUp(failure)
  }

  /** The next message, or why there is none. */
  private heard(limit: number): Promise<Said | Failure> {
    return new Promise((resolve) => {
      const settle = (message: Said | Failure) => {
        clearTimeout(timer)
        resolve(message)
      }
      const [worked, ends] = [workedSince(), performance.now() + patience * limit]
      const late = () => {
        const mayGoOn = worked() < limit && performance.now() < ends
        timer = mayGoOn ? setTimeout(late, limit / 4) : setTimeout(() => settle({ failure: 'late' }), grace)
      }
      let timer = setTimeout(late, limit)
      this.hear = settle
      this.giveUp = settle
    })
  }
}

const endedBy = (cause: unknown): Failure => {
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
