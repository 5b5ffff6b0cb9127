import { GuardedProcess, OutputLines } from '@sallyport/kit/processes'
import type { ProgramStart } from '@sallyport/kit/processes'

/** A server program, and what it prints. */
export class ServerProcess {
  readonly #lines: OutputLines
  readonly #process: GuardedProcess

  constructor(start: ProgramStart, onLine: (line: string) => void) {
    this.#lines = new OutputLines(onLine)
    this.#process = new GuardedProcess(start)
    this.#process.input.end()
    for (const output of [this.#process.output, this.#process.errors]) this.#lines.read(output)
  }

  /** How it ended, in words; never rejects. */
  get ended(): Promise<string> {
    return this.#process.ended
  }

  /** The last lines of its output. */
  get tail(): readonly string[] {
    return this.#lines.tail
  }

  /** SIGTERM to the group, and SIGKILL after so many seconds. Returns when the program has ended. */
  async stop(seconds: number): Promise<void> {
    if (!this.#process.isRunning) return
    this.#process.signal('SIGTERM')
    const timer = setTimeout(() => this.#process.signal('SIGKILL'), seconds * 1000)
    await this.ended
    clearTimeout(timer)
  }
}
