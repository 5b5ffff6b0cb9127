import type { Capability } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import type { ModelState } from '../kernel/kernel-api.js'
import type { LoadedModel, Provision } from '../kernel/model.js'
import type { BackendDefinition, ProcessIsolation } from '../kernel/plugin.js'
import { capabilityProxy, implementedMethods } from './capability-calls.js'
import { hostLimits } from './limits.js'
import type { HostLimits } from './limits.js'
import { loadBackend } from './loading.js'
import type { BackendInputs, LoadReply } from './loading.js'
import { Supervisor } from './supervisor.js'

/** A model's backend, wherever it runs. */
export interface HostedBackend {
  readonly loaded: LoadedModel & {
    /** Names of the methods that there are, by capability: optional ones may be absent. */
    readonly methods: Readonly<Record<string, readonly string[]>>
  }
  readonly state: ModelState
  /** Finishes the running calls until the signal is aborted, then frees everything. */
  stop(signal: AbortSignal): Promise<void>
}

interface HostOptions extends BackendInputs {
  readonly onState?: (state: ModelState) => void
}

export interface HostProcessOptions extends HostOptions {
  /** The plugin's module; its default export is the definition. */
  readonly moduleUrl: string
  readonly backendName: string
  /** The backend's own, as declared; what the process provides is looked up in it. */
  readonly capabilities: readonly Capability[]
  readonly isolation: ProcessIsolation
  readonly limits?: Partial<HostLimits>
  /** Gives up loading; has no effect later. */
  readonly signal?: AbortSignal
}

export interface HostInProcessOptions extends HostOptions {
  readonly backend: BackendDefinition
}

/**
 * Runs a backend in a process of its own. Its services stay valid when the process is restarted after a crash.
 * @throws what the backend's `load` throws; model_unavailable, insufficient_memory when the process ends meanwhile.
 */
export const hostBackend = async (options: HostProcessOptions): Promise<HostedBackend> => {
  const { moduleUrl, backendName, pluginOptions, spec, isolation, logger, capabilities } = options
  const supervisor = new Supervisor({
    request: { moduleUrl, backendName, pluginOptions, spec },
    isolation,
    logger,
    limits: { ...hostLimits, ...options.limits },
    onState: options.onState ?? (() => undefined),
  })
  const reply = await supervisor.start(options.signal)
  try {
    return {
      loaded: loadedModel(reply, proxies(reply, capabilities, supervisor, moduleUrl), methodsOf(reply)),
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

/** The same without a process: the services themselves, which the kernel must drain before it stops them. */
export const hostInProcess = async ({
  backend: definition,
  onState,
  ...inputs
}: HostInProcessOptions): Promise<HostedBackend> => {
  onState?.('loading')
  const { backend, loaded } = await loadBackend(definition, inputs)
  let state: ModelState = 'ready'
  onState?.(state)
  const methods = loaded.provides.map(({ capability, service }) => [
    capability.name,
    implementedMethods(capability, service),
  ])
  return {
    loaded: loadedModel(loaded, loaded.provides, Object.fromEntries(methods) as Record<string, string[]>),
    get state() {
      return state
    },
    stop: async () => {
      if (state === 'stopped') return
      state = 'stopped'
      onState?.(state)
      await backend.stop?.()
    },
  }
}

const loadedModel = (
  { descriptor }: Pick<LoadedModel, 'descriptor'>,
  provides: readonly Provision[],
  methods: Readonly<Record<string, readonly string[]>>,
): HostedBackend['loaded'] => ({ provides, methods, ...(descriptor ? { descriptor } : {}) })

const methodsOf = ({ provides }: LoadReply) =>
  Object.fromEntries(provides.map(({ capability, methods }) => [capability, methods]))

const proxies = (
  { provides }: LoadReply,
  capabilities: readonly Capability[],
  supervisor: Supervisor,
  plugin: string,
): Provision[] =>
  provides.map(({ capability: name, methods }) => {
    const capability = capabilities.find((candidate) => candidate.name === name)
    if (!capability)
      throw failure('plugin_invalid', { plugin, problem: `its backend provides ${name}, which it does not declare` })
    return { capability, service: capabilityProxy(capability, supervisor, methods) }
  })
