import { resolve } from 'node:path'
import { childEnvironment, findProgram, restartLimits, RestartPolicy } from '@sallyport/kit/processes'
import { failure, isSallyportError } from '@sallyport/core'
import type { Logger, ReportState, SallyportError } from '@sallyport/core'
import type { Dispatcher } from 'undici'
import { withPort } from '../client/address.js'
import type { ServerOptions } from '../options.js'
import { freePort, ServerProcess, untilReady } from './server-process.js'

const restarting = 'its server is being restarted'

type State =
  | { readonly name: 'down' }
  | { readonly name: 'starting'; readonly process: ServerProcess }
  | { readonly name: 'ready'; readonly process: ServerProcess; readonly port: number; readonly since: number }
  /** `until`: when the restart begins, milliseconds since the epoch. */
  | { readonly name: 'crashed'; readonly until: number; readonly timer: NodeJS.Timeout; readonly problem: string }

/** What a supervised server needs from its model. */
export interface ServerContext {
  readonly dispatcher: Dispatcher
  readonly log: Logger
  /** The directory to which paths are relative. */
  readonly directory: string
  readonly report: ReportState
}

/** A server program: started, watched, restarted with back-off after a crash, and killed at the end. */
export class SupervisedServer {
  #state: State = { name: 'down' }
  readonly #restarts: RestartPolicy
  /** 0 until a free one has been found. */
  #port: number
  readonly #stopping = new AbortController()

  /** @param urlTemplate of the API; `{port}` in it is replaced by the port */
  constructor(
    private readonly model: string,
    private readonly options: ServerOptions,
    private readonly urlTemplate: string,
    private readonly context: ServerContext,
  ) {
    this.#port = options.port === 'auto' ? 0 : options.port
    const baseDelay = options.restart.delay * 1000
    const maxDelay = options.restart.longest * 1000
    const firstDelay = Math.min(restartLimits.firstDelay, baseDelay)
    this.#restarts = new RestartPolicy({ ...restartLimits, firstDelay, baseDelay, maxDelay, failedDelay: maxDelay })
  }

  /** The URL of the API. @throws model_unavailable while the server is down */
  url(): URL {
    const state = this.#state
    if (state.name === 'ready') return new URL(withPort(this.urlTemplate, state.port))
    const { until, problem } = state.name === 'crashed' ? state : { until: 0, problem: restarting }
    throw this.#unavailable(problem, Math.max(0, Math.ceil((until - Date.now()) / 1000)) + 1)
  }

  /**
   * Returns when the server is ready.
   * @throws config_invalid (no such program, port in use), model_unavailable (it ended, or was not ready in time)
   */
  async start(): Promise<void> {
    const port = await this.#choosePort()
    const { directory, log, report } = this.context
    const cwd = resolve(directory, this.options.cwd ?? '.')
    const env = childEnvironment(process.env, this.options.env)
    const { command } = this.options
    const program = findProgram(command.includes('/') ? resolve(cwd, command) : command, env.PATH ?? '')
    if (program === undefined) {
      const problem = `there is no program "${command}" ${command.includes('/') ? 'at this path' : 'on the PATH'}`
      throw this.#misconfigured('command', `${problem}: install it, or correct the name`)
    }
    this.#stopping.signal.throwIfAborted()
    const args = this.options.args.map((argument) => withPort(argument, port))
    const onLine = (line: string) => log.debug({ line }, 'output of the server')
    const started = new ServerProcess({ program, args, cwd, env }, onLine)
    this.#state = { name: 'starting', process: started }
    await this.#untilReady(started, port)
    this.#state = { name: 'ready', process: started, port, since: Date.now() }
    report('ready')
    log.info({ port }, 'the server of the model is ready')
    void started.ended.then((how) => this.#crashed(how))
  }

  /** Returns when no process is left. */
  async stop(): Promise<void> {
    this.#stopping.abort(this.#unavailable('its server was stopped'))
    const state = this.#state
    this.#state = { name: 'down' }
    if (state.name === 'crashed') clearTimeout(state.timer)
    if ('process' in state) await state.process.stop(this.options.stopTimeout)
  }

  async #untilReady(process: ServerProcess, port: number): Promise<void> {
    const { path, timeout } = this.options.ready
    const failed = new AbortController()
    const timer = setTimeout(() => failed.abort(`was not ready within ${timeout} seconds`), timeout * 1000)
    void process.ended.then((how) => failed.abort(`${how} before it was ready`))
    const url = new URL(path, withPort(this.urlTemplate, port))
    try {
      await untilReady(url, this.context.dispatcher, AbortSignal.any([failed.signal, this.#stopping.signal]))
    } catch (reason) {
      await process.stop(this.options.stopTimeout)
      this.#stopping.signal.throwIfAborted()
      this.context.log.error({ reason, output: process.tail }, 'the server of the model did not start')
      throw this.#unavailable(`its server ${this.options.command} ${String(reason)}: the log has its last lines`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Restarts the server, also after an error of the configuration: the program or the port may become available. */
  #crashed(how: string, isMisconfigured = false): void {
    if (this.#stopping.signal.aborted) return
    const { report, log } = this.context
    const state = this.#state
    const uptime = state.name === 'ready' ? Date.now() - state.since : 0
    const { delay: retryInMs, failed } = this.#restarts.crashed(Date.now(), uptime)
    report(failed || isMisconfigured ? 'failed' : 'restarting')
    const problem = isMisconfigured ? 'its server cannot be started as configured: the log says why' : restarting
    log.error({ how, retryInMs }, 'the server of the model is down: it will be restarted')
    const timer = setTimeout(() => void this.#restart(), retryInMs)
    this.#state = { name: 'crashed', until: Date.now() + retryInMs, timer, problem }
  }

  async #restart(): Promise<void> {
    try {
      await this.start()
    } catch (error) {
      if (isSallyportError(error)) this.#crashed(error.message, error.code === 'config_invalid')
      else this.#crashed(String(error))
    }
  }

  /** A free port stays the same after a restart where nobody has taken it. */
  async #choosePort(): Promise<number> {
    const isFixed = typeof this.options.port === 'number' && this.options.port > 0
    const port = (await freePort(this.#port)) ?? (isFixed ? undefined : await freePort(0))
    if (port === undefined)
      throw this.#misconfigured('port', `${this.#port} is in use: stop what listens there, or use 0`)
    this.#port = port
    return port
  }

  #misconfigured(option: string, problem: string): SallyportError {
    return failure('config_invalid', { problem: `models.${this.model}.options.server.${option}: ${problem}` })
  }

  #unavailable(problem: string, retryAfter?: number): SallyportError {
    return failure('model_unavailable', { model: this.model, problem }, retryAfter === undefined ? {} : { retryAfter })
  }
}
