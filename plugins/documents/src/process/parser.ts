import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { childEnvironment, OutputLines } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import type { FromParser, ToParser } from './protocol.js'

/** How a process ended that was not told to. */
export interface Ended {
  readonly type: 'ended'
  /** It was ended for the memory that it took, by itself, by V8 or by the system. */
  readonly memory: boolean
  readonly output: readonly string[]
}

/** A process that reads documents, seen by whoever started it. */
export class Parser {
  /** It takes no more documents. */
  isGone = false
  served = 0
  private readonly child: ChildProcess
  private readonly ended: Promise<void>
  private listener: ((message: FromParser | Ended) => void) | undefined

  /** @param memory bytes that it may take */
  constructor(memory: number, logger: Logger) {
    this.child = fork(new URL('./child.js', import.meta.url), [String(memory)], {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: childEnvironment(process.env),
      execArgv: [`--max-old-space-size=${Math.floor((memory / 2 ** 20) * 0.8)}`],
    })
    const { child } = this
    const lines = new OutputLines((line) => logger.debug({ pid: child.pid }, line))
    for (const stream of [child.stdout, child.stderr]) if (stream) lines.read(stream)
    child.unref()
    child.channel?.unref()
    child.on('message', (message: FromParser) => this.listener?.(message))
    this.ended = new Promise((resolve) => {
      const end = (_: unknown, signal?: NodeJS.Signals) => {
        this.isGone = true
        const memory = signal === 'SIGKILL' || signal === 'SIGABRT'
        this.listener?.({ type: 'ended', memory, output: lines.tail })
        resolve()
      }
      child.once('error', end)
      child.once('exit', end)
    })
  }

  /** Of one document at a time. */
  listen(listener: ((message: FromParser | Ended) => void) | undefined): void {
    this.listener = listener
  }

  /** One that has ended is noticed by its end. */
  send(message: ToParser): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }

  end(): Promise<void> {
    this.isGone = true
    this.listener = undefined
    // or the event loop could end before the process has
    this.child.ref()
    this.child.kill('SIGKILL')
    return this.ended
  }
}
