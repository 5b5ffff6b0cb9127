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
import { childProcessTransport } from './process-transport.js'
import { lifelineDescriptor } from './protocol.js'
import { watchPulse } from './liveness.js'

export interface ModelProcessOptions {
  /** The model's id, for the process list. */
  readonly model: string
  readonly isolation: ProcessIsolation
  /** Bytes that it may take; without, as much as there is. */
  readonly memory?: number
  readonly logger: Logger
  /** Milliseconds of silence after which the process counts as hung. */
  readonly silence: number
  /** Milliseconds without a sign of life after which the process counts as stopped. */
  readonly pulseSilence: number
  /** Gives the error with which the calls in flight fail. */
  readonly onLost: () => SallyportError
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What it printed last. */
  readonly output: readonly string[]
  /** Why the connection ended. */
  readonly reason: string
  /** It was killed because it did not answer. */
  readonly hung: boolean
  /** It was killed by us, for whatever reason. */
  readonly killed: boolean
}

const childModule = fileURLToPath(new URL('./child.js', import.meta.url))

/** How long the last words of a process may take to arrive after its exit. */
const lastWords = 200

/** Milliseconds between the end of the channel and the end of a process that causes it. */
const lastSteps = 100

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
    this.exited = this.exit(lines)
    const lifeline = this.child.stdio[lifelineDescriptor] as Duplex | null | undefined
    const unwatch = lifeline && watchPulse(lifeline, options.pulseSilence, (reason) => this.connection.giveUp(reason))
    this.connection = connect(childProcessTransport(this.child), {
      silence: options.silence,
      onLog: ({ level, fields, message }) => logger[level](fields, message),
      onInvalid: (problem) => logger.warn({ pid }, `the process of the model sent ${problem}`),
      onClosed: (reason) => {
        this.closeReason = reason
        unwatch?.()
        if (this.connection.hung) this.kill()
        // The channel of a process that ends is closed, too: how it ends is to be seen.
        else setTimeout(() => this.kill(), lastSteps)
        return options.onLost()
      },
    })
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** The connection has ended, whoever ended it. */
  get lost(): boolean {
    return this.closeReason !== undefined
  }

  kill(): void {
    const { exitCode, signalCode } = this.child
    if (exitCode !== null || signalCode !== null) return
    this.killed = true
    this.child.kill('SIGKILL')
  }

  /** Asks, insists, then forces; each may take `grace` milliseconds. */
  async stop(grace: number, logger: Logger): Promise<void> {
    const call = { signal: AbortSignal.timeout(grace), deadline: Date.now() + grace, requestId: 'stop', tenant: '' }
    await this.connection
      .call('stop', undefined, call)
      .catch((error: unknown) => logger.warn({ error }, 'the model did not stop in order'))
    this.child.kill('SIGTERM')
    const force = setTimeout(() => this.kill(), grace)
    await this.exited
    clearTimeout(force)
  }

  private async exit({ tail }: OutputLines): Promise<Exit> {
    const { child } = this
    const closed = once(child, 'close').catch(() => undefined)
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      // It could not be started: no exit follows.
      child.once('error', () => {
        if (child.pid === undefined) resolve()
      })
    })
    await Promise.race([closed, sleep(lastWords)])
    const { exitCode: code, signalCode: signal } = child
    const { closeReason: reason = 'it ended', killed, connection } = this
    return { code, signal, output: tail, reason, hung: connection.hung, killed }
  }
}

const startChild = ({ model, isolation, memory = Infinity }: ModelProcessOptions): ChildProcess =>
  fork(childModule, [model, String(memory)], {
    env: childEnvironment(process.env, isolation.env),
    // Not the parent's: its loaders and its inspector are its own.
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
  })
