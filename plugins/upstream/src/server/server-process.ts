import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { OutputLines, systemCode } from '@sallyport/core'

export interface ProgramStart {
  /** An absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly onLine: (line: string) => void
}

/**
 * Turns into the program after it has left a guard behind in the same process group. The guard waits for the end of
 * the pipe on descriptor 3, which comes when we die, however we die, and then kills the group.
 */
const guarded = `(trap '' TERM INT HUP; read -r line <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec "$@"`

/** A program in a process group of its own, which never outlives us. */
export class ServerProcess {
  /** How it ended, in words; never rejects. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  readonly #lines: OutputLines
  #running = true

  constructor({ program, args, cwd, env, onLine }: ProgramStart) {
    this.#lines = new OutputLines(onLine)
    this.#child = spawn('/bin/sh', ['-c', guarded, 'sh', program, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    for (const output of [this.#child.stdout, this.#child.stderr]) if (output) this.#lines.read(output)
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#running = false
        resolve(`could not be started (${systemCode(error) ?? error.name})`)
      })
      this.#child.once('exit', (code, signal) => {
        this.#running = false
        this.#signal('SIGKILL')
        resolve(signal ? `was ended by ${signal}` : `ended with the code ${code ?? 0}`)
      })
    })
  }

  /** The last lines of its output. */
  get tail(): readonly string[] {
    return this.#lines.tail
  }

  /** SIGTERM to the group, and SIGKILL after so many seconds. Returns when the program has ended. */
  async stop(seconds: number): Promise<void> {
    if (!this.#running) return
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), seconds * 1000)
    await this.ended
    clearTimeout(timer)
  }

  /** To the group: what the program has started goes with it. */
  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, name)
    } catch {
      // The group is gone already.
    }
  }
}
