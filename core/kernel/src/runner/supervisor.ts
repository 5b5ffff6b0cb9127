import { setTimeout as sleep } from 'node:timers/promises'
import { onAbort, untilAborted } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import type { Call, SallyportError, ModelState } from '@sallyport/core'
import { RestartPolicy } from '@sallyport/kit/processes'
import type { RestartDecision } from '@sallyport/kit/processes'
import type { Caller, Connection } from './client.js'
import { countRestarts } from '../telemetry.js'
import { launch } from './launch.js'
import type { Launch, LaunchOptions } from './launch.js'
import type { LoadReply } from './loading.js'
import type { ModelProcess } from './model-process.js'

interface SupervisorOptions extends LaunchOptions {
  readonly onState: (state: ModelState) => void
}

/**
 * Attempts at the first load. One retry is enough: what kills a process while it is loading most likely does so again.
 */
const maxLoadAttempts = 2

/**
 * Keeps one model's process running. Calls in flight fail at once when it ends; later ones wait a little for the next
 * process, which is started with back-off.
 */
export class Supervisor implements Caller {
  private current: { readonly process: ModelProcess; readonly since: number } | undefined
  /** Ends the waiting of calls for the next process; without a connection, they fail. */
  private readonly waiters = new Set<(connection?: Connection) => void>()
  private readonly restartPolicy: RestartPolicy
  private readonly stopController = new AbortController()
  private currentState: ModelState = 'loading'
  /** The first load, or the latest recovery. Never rejects. */
  private work: Promise<unknown> = Promise.resolve()
  private stopPromise: Promise<void> | undefined
  private stopRequested = false
  /** The time of the next attempt, by `performance.now()`. */
  private nextAttempt = 0
  /** Milliseconds that the last load took. */
  private loadTime = 0

  constructor(private readonly options: SupervisorOptions) {
    this.restartPolicy = new RestartPolicy(options.limits.restart)
  }

  get state(): ModelState {
    return this.currentState
  }

  /**
   * Loads the model; an abort gives the load up.
   * @throws errors of the table that `load` throws; model_unavailable for others and for an abort; one of
   * model_unavailable and insufficient_memory when its process ends twice; the signal's reason if already aborted
   */
  async start(signal?: AbortSignal): Promise<LoadReply> {
    signal?.throwIfAborted()
    const unlink = signal && onAbort(signal, () => void this.stop(AbortSignal.abort()))
    try {
      this.options.onState('loading')
      countRestarts(this.options.request.spec.id, 0)
      const loading = this.firstLoad()
      this.work = loading.catch(() => undefined)
      const reply = await loading
      if (this.stopRequested) throw this.unavailable()
      return reply
    } finally {
      unlink?.()
    }
  }

  call(method: string, payload: unknown, call: Call): Promise<unknown> {
    const { connection } = this
    return connection
      ? connection.call(method, payload, call)
      : this.connectionAfterRestart(call).then((later) => later.call(method, payload, call))
  }

  stream(method: string, payload: unknown, call: Call): AsyncIterable<unknown> {
    return this.connection?.stream(method, payload, call) ?? this.streamAfterRestart(method, payload, call)
  }

  /** Ends the process, once running calls have finished or the signal is aborted; new calls are refused. */
  stop(signal: AbortSignal): Promise<void> {
    return (this.stopPromise ??= this.shutDown(signal))
  }

  private get connection(): Connection | undefined {
    return this.stopRequested ? undefined : this.current?.process.connection
  }

  private async *streamAfterRestart(method: string, payload: unknown, call: Call): AsyncIterable<unknown> {
    const connection = this.connection ?? (await this.connectionAfterRestart(call))
    yield* connection.stream(method, payload, call)
  }

  private async connectionAfterRestart({ signal, deadline }: Call): Promise<Connection> {
    if (this.stopRequested || this.currentState === 'failed') throw this.unavailable()
    let settle: (connection?: Connection) => void = () => undefined
    const next = new Promise<Connection | undefined>((resolve) => (settle = resolve))
    this.waiters.add(settle)
    const timer = setTimeout(settle, Math.min(this.options.limits.restartWait, deadline - Date.now()))
    try {
      const connection = await untilAborted(next, signal)
      if (connection) return connection
      throw this.unavailable()
    } finally {
      clearTimeout(timer)
      this.waiters.delete(settle)
    }
  }

  private settleWaiters(connection?: Connection): void {
    for (const settle of this.waiters) settle(connection)
  }

  private async firstLoad(): Promise<LoadReply> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.launch()
      if ('process' in result) return result.reply
      if (result.crashed && attempt < maxLoadAttempts && !this.stopRequested) continue
      if (!this.stopRequested) this.enter('failed')
      throw result.error
    }
  }

  private async launch(): Promise<Launch> {
    const started = performance.now()
    const result = await launch(this.options, this.stopController.signal, (process) => this.handleLost(process))
    if ('process' in result) {
      this.loadTime = performance.now() - started
      this.current = { process: result.process, since: performance.now() }
      this.enter('ready')
      this.settleWaiters(result.process.connection)
    }
    return result
  }

  /** Called before the calls in flight fail. @returns the error with which they fail */
  private handleLost(process: ModelProcess): SallyportError {
    if (this.current?.process === process && !this.stopRequested) {
      const { since } = this.current
      this.current = undefined
      const uptime = performance.now() - since
      const decision = this.decide(uptime)
      this.work = this.recover(process, decision, uptime)
    }
    return this.unavailable()
  }

  private async recover(process: ModelProcess, decision: RestartDecision, uptime: number): Promise<void> {
    const { output, ...exit } = await process.exited
    const { logger } = this.options
    logger.error(
      {
        pid: process.pid,
        ...exit,
        lastOutput: output,
        uptime: Math.round(uptime),
        restartIn: Math.round(decision.delay),
      },
      'the process of the model ended',
    )
    for (let next = decision; await this.pause(next.delay); next = this.decide(0)) {
      countRestarts(this.options.request.spec.id, 1)
      const result = await this.launch()
      if ('process' in result) return
      if (!this.stopRequested) logger.error({ problem: result.error.message }, 'the model could not be restarted')
    }
  }

  /** @returns false when the model is stopped meanwhile */
  private async pause(delay: number): Promise<boolean> {
    const { signal } = this.stopController
    await sleep(delay, undefined, { signal }).catch(() => undefined)
    return !signal.aborted
  }

  private decide(uptime: number): RestartDecision {
    const decision = this.restartPolicy.crashed(performance.now(), uptime)
    this.nextAttempt = performance.now() + decision.delay
    this.enter(decision.failed ? 'failed' : 'restarting')
    if (decision.failed) this.settleWaiters()
    return decision
  }

  private async shutDown(signal: AbortSignal): Promise<void> {
    this.stopRequested = true
    const { limits, logger } = this.options
    if (!this.current) this.stopController.abort(this.unavailable())
    this.settleWaiters()
    await this.work
    const process = this.current?.process
    if (process) {
      await process.connection.idle(signal)
      process.connection.cancelAll(this.unavailable())
      await process.stop(limits.stopGrace, logger)
    }
    this.enter('stopped')
  }

  private enter(state: ModelState): void {
    if (state === this.currentState || this.currentState === 'stopped') return
    this.currentState = state
    this.options.onState(state)
  }

  private unavailable(): SallyportError {
    const model = this.options.request.spec.id
    if (this.stopRequested) return failure('model_unavailable', { model, problem: 'it is being stopped' })
    const wait = Math.max(0, this.nextAttempt - performance.now()) + this.loadTime
    const retryAfter = Math.max(1, Math.ceil(wait / 1000))
    const problem =
      this.currentState === 'failed'
        ? `its process ended repeatedly: try again in ${retryAfter} s`
        : 'its process ended and is being restarted'
    return failure('model_unavailable', { model, problem }, { retryAfter })
  }
}
