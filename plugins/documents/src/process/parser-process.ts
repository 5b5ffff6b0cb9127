import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { childEnvironment, OutputLines } from '@sallyport/kit/processes'
import type { Logger } from '@sallyport/core'
import type { FromParser, ToParser } from './protocol.js'

export interface Ended {
  readonly type: 'ended'
  /** `memory`: it, V8 or the system ended it above a limit; `stopped`: {@link ParserProcess.end} did. */
  readonly why: 'memory' | 'stopped' | 'unknown'
  readonly output: readonly string[]
}

/** A process that reads documents, as its parent sees it. */
export class ParserProcess {
  served = 0
  private readonly child: ChildProcess
  private readonly exited: Promise<void>
  private readonly lines: OutputLines
  private listener: ((message: FromParser | Ended) => void) | undefined
  private stopped = false
  private ended: Ended | undefined

  /**
   * @param memory bytes that it may take
   * @throws where the system cannot start a process; other failures end the process
   */
  constructor(memory: number, logger: Logger) {
    this.child = fork(new URL('./child.js', import.meta.url), [String(memory)], {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: childEnvironment(process.env),
      execArgv: [`--max-old-space-size=${Math.floor((memory / 2 ** 20) * 0.8)}`],
    })
    const { child } = this
    this.lines = new OutputLines((line) => logger.debug({ pid: child.pid }, line))
    for (const stream of [child.stdout, child.stderr]) if (stream) this.lines.read(stream)
    child.unref()
    child.channel?.unref()
    child.on('message', (message: FromParser) => this.listener?.(message))
    this.exited = new Promise((resolve) => {
      const exit = (_: unknown, signal?: NodeJS.Signals) => {
        this.finish(signal === 'SIGKILL' || signal === 'SIGABRT' ? 'memory' : 'unknown')
        resolve()
      }
      child.once('error', exit)
      child.once('exit', exit)
    })
  }

  /** Whether it can take no more documents. */
  get isGone(): boolean {
    return this.stopped || this.ended !== undefined
  }

  /** Sets the only listener, for one document; a listener that is set after the end is called at once. */
  listen(listener: ((message: FromParser | Ended) => void) | undefined): void {
    this.listener = listener
    if (this.ended) listener?.(this.ended)
  }

  /** Sends a message; a process that cannot be reached counts as ended. */
  send(message: ToParser): void {
    if (this.child.connected) this.child.send(message, () => undefined)
    else this.finish('unknown')
  }

  end(): Promise<void> {
    this.stopped = true
    // keeps the event loop alive until the process has ended
    this.child.ref()
    this.child.kill('SIGKILL')
    return this.exited
  }

  private finish(why: Ended['why']): void {
    if (this.ended) return
    this.ended = { type: 'ended', why: this.stopped ? 'stopped' : why, output: this.lines.tail }
    this.listener?.(this.ended)
  }
}
