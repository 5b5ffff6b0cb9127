import { failure, isSallyportError } from '@sallyport/core'
import type { Call, SallyportError } from '@sallyport/core'
import { restartLimits } from '@sallyport/kit/processes'
import type { RestartLimits } from '@sallyport/kit/processes'
import type { LoadReply, LoadRequest } from './loading.js'
import { ModelProcess } from './model-process.js'
import type { Exit, ModelProcessOptions } from './model-process.js'
import { watchdogNotice } from './protocol.js'

/** Limits, in milliseconds, of waiting for a model's process. */
export interface HostLimits {
  /**
   * Silence, with pings unanswered, after which the process counts as hung. Native code may block its event loop for
   * seconds.
   */
  readonly maxSilence: number
  /** Silence of the watchdog thread, after which the process counts as suspended: none of its threads runs. */
  readonly maxWatchdogSilence: number
  /** Silence of the event loop that is allowed while the model loads. */
  readonly maxLoadSilence: number
  /** How long a call waits for a process that is being restarted. */
  readonly restartWait: number
  /** The time that each step of stopping may take: the `stop` call, then SIGTERM. */
  readonly stopGrace: number
  readonly restart: RestartLimits
}

export const hostLimits: HostLimits = {
  maxSilence: 30_000,
  maxWatchdogSilence: 5000,
  maxLoadSilence: 300_000,
  restartWait: 5000,
  stopGrace: 2000,
  restart: restartLimits,
}

export interface LaunchOptions extends Pick<ModelProcessOptions, 'isolation' | 'memory' | 'logger'> {
  readonly request: LoadRequest
  readonly limits: HostLimits
}

/** A process that has loaded its model, or the error that prevented it. */
export type Launch =
  | { readonly process: ModelProcess; readonly reply: LoadReply }
  | { readonly error: SallyportError; readonly crashed: boolean }

/** Starts a process and loads the model in it; an abort ends both. @param onLost returns the error of calls in flight */
export const launch = async (
  options: LaunchOptions,
  signal: AbortSignal,
  onLost: (process: ModelProcess) => SallyportError,
): Promise<Launch> => {
  const { request, limits } = options
  const process = startProcess(options, onLost)
  if ('error' in process) return process
  const call: Call = { signal, deadline: Infinity, requestId: 'load', tenant: '' }
  const outcome = await process.connection.call('load', request, call, limits.maxLoadSilence).then(
    (reply) => ({ reply: reply as LoadReply }),
    (error: unknown) => ({ error }),
  )
  if ('reply' in outcome && !process.hasLostConnection) return { process, ...outcome }
  const crashed = process.hasLostConnection
  if (!crashed) process.kill()
  const exit = await process.exited
  const model = request.spec.id
  return { crashed, error: 'reply' in outcome || crashed ? crashError(model, exit) : callError(model, outcome.error) }
}

/** Starting a process throws on a machine that has no process or descriptor left. */
const startProcess = (
  { request, limits, isolation, memory, logger }: LaunchOptions,
  onLost: (process: ModelProcess) => SallyportError,
): ModelProcess | { error: SallyportError; crashed: true } => {
  const model = request.spec.id
  try {
    const process: ModelProcess = new ModelProcess({
      model,
      isolation,
      ...(memory !== undefined && { memory }),
      logger,
      maxSilence: limits.maxSilence,
      maxWatchdogSilence: limits.maxWatchdogSilence,
      onLost: () => onLost(process),
    })
    return process
  } catch (cause) {
    const problem = 'its process could not be started'
    return { crashed: true, error: failure('model_unavailable', { model, problem }, { cause }) }
  }
}

const callError = (model: string, cause: unknown): SallyportError =>
  isSallyportError(cause)
    ? cause
    : failure('model_unavailable', { model, problem: 'loading it was aborted' }, { cause })

/** The error of a process that ended while it was loading. */
const crashError = (model: string, exit: Exit): SallyportError => {
  if (exit.hung) return failure('model_unavailable', { model, problem: `${exit.reason} while it was loading` })
  if (exit.signal === 'SIGKILL' && !exit.killed) {
    const [cause = 'most likely the machine ran out of memory'] = exit.output.flatMap(
      (line) => line.split(watchdogNotice)[1] ?? [],
    )
    const problem = `the process of the model ${model} was killed while it was loading: ${cause}`
    return failure('insufficient_memory', { problem })
  }
  const how = exit.killed ? exit.reason : (exit.signal ?? `code ${exit.code ?? 'unknown'}`)
  return failure('model_unavailable', { model, problem: `its process ended while it was loading (${how})` })
}
