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
export type Failure = 'not started' | 'late' | 'ended'

/** Takes one job at a time. */
export class SchemaThread {
  private readonly worker = new Worker(new URL('./worker/main.js', import.meta.url), {
    resourceLimits,
    env: {},
    execArgv: [],
  })
  private readonly started: Promise<unknown>
  private hear: (message: unknown) => void = () => undefined
  private end: () => void = () => undefined
  private ended = false
  /** Jobs that it has done. */
  done = 0

  constructor() {
    this.worker.on('message', (message: unknown) => this.hear(message))
    this.worker.on('error', () => this.end())
    this.worker.on('exit', () => {
      this.ended = true
      this.end()
    })
    this.started = this.heard(startLimit)
    this.worker.unref()
  }

  async ask(job: Job): Promise<Reply | Failure> {
    if ((await this.started) !== ready) return 'not started'
    if (this.ended) return 'ended'
    const heard = this.heard(jobLimit)
    this.worker.postMessage(job)
    const reply = (await heard) as Reply | Failure
    if (typeof reply === 'object') this.done += 1
    return reply
  }

  async stop(): Promise<void> {
    this.end()
    await this.worker.terminate()
  }

  /** The next message, or why there is none. */
  private heard(limit: number): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (message: unknown) => {
        clearTimeout(timer)
        resolve(message)
      }
      const [worked, ends] = [workedSince(), performance.now() + patience * limit]
      const late = () => {
        const mayGoOn = worked() < limit && performance.now() < ends
        timer = mayGoOn ? setTimeout(late, limit / 4) : setTimeout(() => settle('late' satisfies Failure), grace)
      }
      let timer = setTimeout(late, limit)
      this.hear = settle
      this.end = () => settle('ended' satisfies Failure)
    })
  }
}

/** Milliseconds that the process has worked from now on: the thread no longer than that. */
const workedSince = (): (() => number) => {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
