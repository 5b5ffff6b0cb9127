import type { BackendDefinition, Capability, Kernel, ModelBackend, ModelOpener, ModelState } from '@sallyport/core'
import type { LoadedModel, ProcessIsolation, Provision, ReportState } from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import { capabilityProxy } from './capability-calls.js'
import { hostLimits } from './launch.js'
import type { HostLimits } from './launch.js'
import { constructBackend, declaredCapability, toLoadError, validateLoadedModel } from './loading.js'
import type { BackendInputs, LoadedBackend, LoadReply } from './loading.js'
import { Supervisor } from './supervisor.js'

/** A model's backend, wherever it runs. */
export interface HostedBackend {
  readonly loaded: LoadedModel
  readonly state: ModelState
  /**
   * Frees everything. In a child process, running calls may finish until the signal is aborted. For those in this
   * process, the kernel has waited already.
   */
  stop(signal: AbortSignal): Promise<void>
}

interface HostOptions extends Omit<BackendInputs, 'reportState' | 'kernel' | 'modelOpener'> {
  readonly onState?: (state: ModelState) => void
  /** Gives up loading; has no effect later. */
  readonly signal?: AbortSignal
}

export interface HostInChildOptions extends HostOptions {
  /** The plugin's module; its default export is the definition. */
  readonly moduleUrl: string
  readonly backendName: string
  /** The capabilities that the backend declares; the names that the process sends are looked up in them. */
  readonly capabilities: readonly Capability[]
  readonly isolation: ProcessIsolation
  readonly limits?: Partial<HostLimits>
}

interface HostInProcessOptions extends HostOptions {
  readonly backend: BackendDefinition
  /** The kernel, for backends that use other models. */
  readonly kernel?: Kernel
  /** The opener, for backends that load further models. */
  readonly modelOpener?: ModelOpener
}

/**
 * Runs a backend in a child process. Its services stay valid when the process is restarted after a crash.
 * @throws as {@link Supervisor.start}; plugin_invalid
 */
export const hostInChildProcess = async (options: HostInChildOptions): Promise<HostedBackend> => {
  const { moduleUrl, backendName, pluginOptions, spec, baseDirectory, home } = options
  const { plugin, isolation, logger, capabilities } = options
  const supervisor = new Supervisor({
    request: {
      ...(plugin !== undefined && { plugin }),
      moduleUrl,
      backendName,
      pluginOptions,
      spec,
      baseDirectory,
      home,
    },
    isolation,
    ...(isolation.memory && { memory: isolation.memory(spec) }),
    logger,
    limits: { ...hostLimits, ...options.limits },
    onState: options.onState ?? (() => undefined),
  })
  const reply = await supervisor.start(options.signal)
  try {
    return {
      loaded: { ...reply, provides: proxies(reply, capabilities, supervisor, plugin ?? moduleUrl) },
      get state() {
        return supervisor.state
      },
      stop: (signal) => supervisor.stop(signal),
    }
  } catch (error) {
    await supervisor.stop(AbortSignal.abort())
    throw error
  }
}

/**
 * Runs a backend in this process. A backend whose load fails or is aborted is stopped.
 * @throws errors of the table that `load` throws; model_unavailable for others; plugin_invalid; the signal's reason
 */
export const hostInProcess = async ({
  backend: definition,
  onState = () => undefined,
  signal = new AbortController().signal,
  ...inputs
}: HostInProcessOptions): Promise<HostedBackend> => {
  signal.throwIfAborted()
  const state = new InProcessState(onState)
  const reportState: ReportState = (reported) => state.report(reported)
  const { backend, loaded } = await loadInProcess(definition, { ...inputs, reportState }, signal)
  state.enter('loaded')
  return {
    loaded,
    get state() {
      return state.current
    },
    stop: async () => {
      if (state.current === 'stopped') return
      state.enter('stopped')
      await backend.stop?.()
    },
  }
}

const loadInProcess = async (
  definition: BackendDefinition,
  inputs: BackendInputs,
  signal: AbortSignal,
): Promise<LoadedBackend> => {
  let backend: ModelBackend | undefined
  let loading: Promise<LoadedModel> | undefined
  try {
    backend = constructBackend(definition, inputs)
    // A plugin in JavaScript may return no promise.
    loading = Promise.resolve(backend.load())
    const loaded = validateLoadedModel(await untilAborted(loading, signal), inputs)
    for (const { capability } of loaded.provides)
      declaredCapability(capability.name, definition.capabilities, inputs.plugin ?? `of the model ${inputs.spec.id}`)
    return { backend, loaded }
  } catch (error) {
    const thrown = signal.aborted ? (signal.reason as Error) : toLoadError(error, inputs)
    const stop = async () => backend && stopAfterFailure(backend, inputs)
    await stop()
    // A load that ignores the abort may still allocate: what it loads is freed when it is done.
    if (signal.aborted) loading?.then(stop, () => undefined)
    throw thrown
  }
}

/** Only logs an error of `stop()`: the caller is to learn why the model could not be loaded. */
const stopAfterFailure = async (backend: ModelBackend, { logger }: BackendInputs): Promise<void> => {
  try {
    await backend.stop?.()
  } catch (error) {
    logger.warn({ error }, 'stop() of the model failed')
  }
}

const proxies = (
  { provides }: LoadReply,
  capabilities: readonly Capability[],
  supervisor: Supervisor,
  plugin: string,
): Provision[] =>
  provides.map(({ capability: name, methods }) => {
    const capability = declaredCapability(name, capabilities, plugin)
    return { capability, service: capabilityProxy(capability, supervisor, methods) }
  })

/** The state of a model in this process: its phase and, while it is loaded, what its backend reports. */
class InProcessState {
  private phase: 'loading' | 'loaded' | 'stopped' = 'loading'
  private reported: ModelState = 'ready'
  private announced: ModelState = 'loading'

  constructor(private readonly onState: (state: ModelState) => void) {
    onState(this.announced)
  }

  get current(): ModelState {
    return this.phase === 'loaded' ? this.reported : this.phase
  }

  enter(phase: 'loaded' | 'stopped'): void {
    this.phase = phase
    this.announce()
  }

  report(state: Parameters<ReportState>[0]): void {
    this.reported = state
    this.announce()
  }

  private announce(): void {
    if (this.announced === this.current) return
    this.announced = this.current
    this.onState(this.announced)
  }
}
