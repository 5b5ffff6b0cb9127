import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { OutputLines, systemCode } from '@sallyport/core'

export interface ProgramStart {
  /** An absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Hears its standard error. */
  readonly onLine: (line: string) => void
}

/**
 * Turns into the program after it has left a guard behind in the same process group. The guard waits for the end of
 * the pipe on descriptor 3, which comes when we die, however we die, and then kills the group.
 */
const guarded = `(trap '' TERM INT HUP; read -r line <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec "$@"`

/** Milliseconds that a program has to end by itself once its input has. */
const grace = 1000

/** A program in a process group of its own, which never outlives us. */
export class ServerProcess {
  /** How it ended, in words; never rejects. */
  readonly ended: Promise<string>
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  #running = true

  constructor({ program, args, cwd, env, onLine }: ProgramStart) {
    this.#child = spawn('/bin/sh', ['-c', guarded, 'sh', program, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin.on('error', () => undefined)
    new OutputLines(onLine).read(this.#child.stderr)
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

  get input(): Writable {
    return this.#child.stdin
  }

  get output(): Readable {
    return this.#child.stdout
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** As the protocol has it: the end of its input, then SIGTERM to the group, then SIGKILL. Returns when it has ended. */
  async stop(): Promise<void> {
    if (!this.#running) return
    this.#child.stdin.end()
    const timers = [
      setTimeout(() => this.#signal('SIGTERM'), grace),
      setTimeout(() => this.#signal('SIGKILL'), 2 * grace),
    ]
    await this.ended
    for (const timer of timers) clearTimeout(timer)
  }

  /** At once. */
  kill(): void {
    this.#signal('SIGKILL')
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
