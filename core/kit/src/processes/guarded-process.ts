import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { PassThrough } from 'node:stream'
import type { Readable, Writable } from 'node:stream'
import { systemCode } from '@sallyport/core/errors'

export interface ProgramStart {
  /** An absolute path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * The shell leaves a guard behind in its process group and then becomes the program. The guard waits for the end of the
 * pipe on descriptor 3, which comes when this process dies for whatever reason, and then kills the group.
 */
const guarded = `(trap '' TERM INT HUP; read -r line <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec "$@"`

/** A program in a process group of its own, which never outlives this process. */
export class GuardedProcess {
  /** How the program ended, in words for a message; never rejects. */
  readonly ended: Promise<string>
  isRunning = true
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  readonly #child: ChildProcess

  constructor({ program, args, cwd, env }: ProgramStart) {
    this.#child = spawn('/bin/sh', ['-c', guarded, 'sh', program, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.isRunning = false
        resolve(`could not be started (${systemCode(error) ?? error.name})`)
      })
      this.#child.once('exit', (code, signal) => {
        this.isRunning = false
        this.signal('SIGKILL')
        resolve(signal ? `was ended by ${signal}` : `ended with the code ${code ?? 0}`)
      })
    })
    // Without a free descriptor, Node makes no pipes. The process counts as one that could not be started.
    this.input = this.#child.stdin ?? new PassThrough()
    this.output = this.#child.stdout ?? new PassThrough().end()
    this.errors = this.#child.stderr ?? new PassThrough().end()
    this.input.on('error', () => undefined)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Signals the whole group, with what the program has started. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, name)
    } catch {
      // The group is gone already.
    }
  }
}
