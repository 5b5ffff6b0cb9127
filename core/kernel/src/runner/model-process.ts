import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SallyportError, Logger, ProcessIsolation } from '@sallyport/core'
import { childEnvironment, OutputLines } from '@sallyport/kit/processes'
import { connect } from './client.js'
import type { Connection } from './client.js'
import { transportToChild } from './process-transport.js'
import { watchdogDescriptor } from './protocol.js'
import { monitorWatchdog } from './liveness.js'

export interface ModelProcessOptions {
  /** The model's id, for the process list. */
  readonly model: string
  readonly isolation: ProcessIsolation
  /** Bytes that the process may use; unlimited when absent. */
  readonly memory?: number
  readonly logger: Logger
  /** Milliseconds of silence after which the process counts as hung. */
  readonly maxSilence: number
  /** Milliseconds without a heartbeat of the watchdog thread after which the process counts as suspended. */
  readonly maxWatchdogSilence: number
  /** Returns the error with which the calls in flight fail. */
  readonly onLost: () => SallyportError
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines that it printed. */
  readonly output: readonly string[]
  /** Why the connection ended. */
  readonly reason: string
  /** Whether it was given up because it fell silent. */
  readonly hung: boolean
  /** Whether the kernel's process killed it; its own watchdog thread does not count. */
  readonly killed: boolean
}

const childModule = fileURLToPath(new URL('./child.js', import.meta.url))

/** Milliseconds that the last output of a process gets to arrive after its exit. */
const outputGrace = 200

/** Milliseconds that a process whose channel has closed gets to exit by itself, so that its exit code can be seen. */
const exitGrace = 100

/** A running child process and the connection to it. Whichever ends first ends the other. */
export class ModelProcess {
  readonly connection: Connection
  readonly exited: Promise<Exit>
  private readonly child: ChildProcess
  private closeReason: string | undefined
  private killed = false

  constructor(options: ModelProcessOptions) {
    const { logger } = options
    this.child = startChild(options)
    const { pid } = this.child
    const lines = new OutputLines((line) => logger.debug({ pid }, line))
    for (const stream of [this.child.stdout, this.child.stderr]) if (stream) lines.read(stream)
    this.exited = this.waitForExit(lines)
    const pipe = this.child.stdio[watchdogDescriptor] as Duplex | null | undefined
    const giveUp = (reason: string) => this.connection.giveUp(reason)
    const unwatch = pipe && monitorWatchdog(pipe, options.maxWatchdogSilence, giveUp)
    this.connection = connect(transportToChild(this.child), {
      maxSilence: options.maxSilence,
      onLog: ({ level, fields, message }) => logger[level](fields, message),
      onInvalid: (problem) => logger.warn({ pid }, `the process of the model sent ${problem}`),
      onClosed: (reason) => {
        this.closeReason = reason
        unwatch?.()
        if (this.connection.hung) this.kill()
        else setTimeout(() => this.kill(), exitGrace)
        return options.onLost()
      },
    })
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** Whether the connection has ended, whoever ended it. */
  get hasLostConnection(): boolean {
    return this.closeReason !== undefined
  }

  kill(): void {
    const { exitCode, signalCode } = this.child
    if (exitCode !== null || signalCode !== null) return
    this.killed = true
    this.child.kill('SIGKILL')
  }

  /** Calls `stop`, then sends SIGTERM, then SIGKILL; waits at most `grace` milliseconds for each of the first two. */
  async stop(grace: number, logger: Logger): Promise<void> {
    const call = { signal: AbortSignal.timeout(grace), deadline: Date.now() + grace, requestId: 'stop', tenant: '' }
    await this.connection
      .call('stop', undefined, call)
      .catch((error: unknown) => logger.warn({ error }, 'stop() of the model failed'))
    this.child.kill('SIGTERM')
    const force = setTimeout(() => this.kill(), grace)
    await this.exited
    clearTimeout(force)
  }

  private async waitForExit({ tail }: OutputLines): Promise<Exit> {
    const { child } = this
    const closed = once(child, 'close').catch(() => undefined)
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      // A process that could not be started emits no exit.
      child.once('error', () => {
        if (child.pid === undefined) resolve()
      })
    })
    await Promise.race([closed, sleep(outputGrace)])
    const { exitCode: code, signalCode: signal } = child
    const { closeReason: reason = 'it ended', killed, connection } = this
    return { code, signal, output: tail, reason, hung: connection.hung, killed }
  }
}

const startChild = ({ model, isolation, memory = Infinity }: ModelProcessOptions): ChildProcess =>
  fork(childModule, [model, String(memory)], {
    env: childEnvironment(process.env, isolation.env),
    // The child must not inherit the parent's loaders and inspector.
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
  })
