import { join } from 'node:path'
import { failure, tokens } from '@sallyport/core'
import type { Call, CallOptions, Capability, CatalogueFacts, CheckDescription, Config } from '@sallyport/core'
import type { Inspected, InspectOptions, Kernel, KernelState, Logger, MetricsText } from '@sallyport/core'
import type { ModelDescriptor, ModelState, ModelUse, Served } from '@sallyport/core'
import { checksOf } from '@sallyport/config'
import { untilAborted } from '@sallyport/kit/async'
import { isRecord } from '@sallyport/kit/json'
import { discreetLogger } from '@sallyport/kit/logging'
import { configError, SchemaChecker } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { checkBoot, httpCapabilities } from './boot-checks.js'
import type { UsageCounter } from './calls/generation.js'
import { serveCapability } from './calls/serving.js'
import { CallTracker } from './calls/tracker.js'
import { Inspections } from './checks/inspections.js'
import { PolicyResolver } from './checks/policies.js'
import { policyProblems } from './checks/policy-problems.js'
import { ShadowScores } from './checks/shadow-scores.js'
import type { KernelEnvironment } from './environment.js'
import { standardErrorLogger } from './log/standard-error.js'
import { KnownFacts } from './models/known-facts.js'
import { ConfiguredModels } from './models/configured-models.js'
import { openStore } from './models/model-files.js'
import type { ModelFileSource } from './models/model-files.js'
import { modelOpener } from './models/model-opener.js'
import type { CreateKernel } from './models/model-opener.js'
import { addOwnModels } from './models/own-models.js'
import { ModelRegistry, notLoadedError } from './models/registry.js'
import type { Acquire, RegisteredModel } from './models/registry.js'
import type { LoadedPlugin } from './plugins/load.js'
import { bindingsOf, constructServices, PluginServices, throwFirst } from './plugins/services.js'

/** Milliseconds that methods get to end after their calls were aborted, when the kernel stops. */
const abortGrace = 1000

/** For a kernel that is never started, such as that of `sallyport check`. */
const refuseToCreate: CreateKernel = () => Promise.reject(failure('not_ready', { state: 'loading' }))

/** The kernel of a configuration and its plugins. */
export class PluginKernel implements Kernel {
  private currentState: KernelState = 'starting'
  private readonly registry = new ModelRegistry()
  private readonly calls: CallTracker
  private readonly shadowScores: ShadowScores | undefined
  private readonly policyResolver: PolicyResolver
  private readonly inspections: Inspections
  readonly httpCapabilities: readonly Capability[]
  metrics: MetricsText | undefined
  private readonly configuredModels: ConfiguredModels
  private readonly services: PluginServices
  private readonly logger: Logger
  private readonly schemas = new SchemaChecker()
  private readonly servedServices = new Map<string, unknown>()
  private readonly stopController = new AbortController()
  private startPromises: readonly Promise<void>[] = []
  private drainPromise: Promise<void> | undefined
  private stopPromise: Promise<void> | undefined

  constructor(
    private readonly config: Config,
    plugins: readonly LoadedPlugin[],
    environment: KernelEnvironment,
    createKernel: CreateKernel = refuseToCreate,
  ) {
    checkBoot(plugins, config)
    const logger = (this.logger = discreetLogger(
      environment.logger ?? standardErrorLogger(config.log.level),
      config.log,
    ))
    this.calls = new CallTracker(config.limits.deadline)
    const checks = checksOf(plugins.map(({ definition }) => definition))
    this.httpCapabilities = httpCapabilities(plugins.map(({ definition }) => definition))
    const { registry, calls } = this
    const { home } = environment
    this.shadowScores = home === undefined ? undefined : new ShadowScores(home, logger)
    const policies = (this.policyResolver = new PolicyResolver(config, checks, registry, logger, this.shadowScores))
    const acquire: Acquire = (models, requester) => this.configuredModels.acquire(models, requester)
    this.inspections = new Inspections({ config, checks, registry, policies, calls, acquire })
    const provideMetrics = (text: MetricsText) => void (this.metrics = text)
    const bindings = (plugin: LoadedPlugin) =>
      bindingsOf(plugin, { kernel: this, config, logger, announce: environment.announce, provideMetrics })
    let source: Promise<ModelFileSource> | undefined
    const fileSource = () =>
      (source ??= environment.fileSource
        ? Promise.resolve(environment.fileSource)
        : openStore(config, logger, environment.progress))
    const opener = modelOpener({ config, plugins, fileSource, logger, createKernel })
    const { signal } = this.stopController
    const facts = home === undefined ? undefined : new KnownFacts(join(home, 'facts'))
    const loading = { config, fileSource, logger, kernel: this, modelOpener: opener, facts, signal }
    this.configuredModels = new ConfiguredModels(plugins, loading, this.registry)
    // Configured models come first: the first model of a capability is its default.
    for (const plugin of plugins) addOwnModels(plugin, bindings(plugin), this.registry)
    const services = environment.services === false ? [] : constructServices(plugins, bindings, config)
    this.services = new PluginServices(services, logger)
  }

  get state(): KernelState {
    return this.currentState
  }

  get policies(): ReadonlySet<string> {
    return this.policyResolver.names
  }

  get checks(): ReadonlyMap<string, CheckDescription> {
    return this.inspections.descriptions
  }

  inspect(check: string, text: string, options: InspectOptions = {}): Promise<Inspected> {
    return this.inspections.inspect(check, text, options)
  }

  get capabilities(): ReadonlySet<string> {
    return this.registry.capabilities
  }

  async start(): Promise<void> {
    const { signal } = this.stopController
    this.startPromises = [...this.services.start(signal), this.loadModels()]
    await Promise.all(this.startPromises)
    signal.throwIfAborted()
    // The types that detectors find are known only when these are loaded.
    const problems = this.policyProblems()
    if (problems.length) throw configError(problems, this.config.where)
    if (this.state === 'starting') this.currentState = 'ready'
    await this.services.ready(signal)
  }

  get<Service extends object>(capability: Capability<Service>, model?: string): Served<Service> {
    checkLookup(capability, model)
    const registered = this.registry.find(capability, model)
    const key = `${capability.name} ${registered.id}`
    const existing = this.servedServices.get(key) as Served<Service> | undefined
    if (existing) return existing
    const served = this.serve(capability, registered)
    this.servedServices.set(key, served)
    return served
  }

  models(capability?: Capability): readonly ModelDescriptor[] {
    const models = capability ? this.registry.providing(capability) : this.registry.all
    return models.map((model) => this.registry.describe(model))
  }

  describe(capability: Capability, model: string): ModelDescriptor | undefined {
    const registered = this.registry.named(capability, model)
    return registered && this.registry.describe(registered)
  }

  /** @param entityTypesOf returns the types that a detector finds, for detectors that are not loaded */
  policyProblems(entityTypesOf: (id: string) => readonly string[] | undefined = () => undefined): Problem[] {
    return policyProblems(this.config, this.registry, entityTypesOf)
  }

  /** Applies the facts of the catalogue to a configured model, in a kernel that does not load it. */
  applyCatalogueFacts(id: string, facts: CatalogueFacts): void {
    this.configuredModels.applyCatalogueFacts(id, facts)
  }

  modelState(id: string): ModelState | undefined {
    return this.registry.lookup(id)?.state()
  }

  modelUses(): readonly ModelUse[] {
    return this.configuredModels.uses()
  }

  async loadModel(id: string, signal: AbortSignal): Promise<void> {
    const model = this.registry.lookup(id)
    if (!model) throw failure('model_not_found', { model: id, available: this.registry.all.map((one) => one.id) })
    const { call, end } = this.calls.open({ signal })
    try {
      const release = await this.configuredModels.acquire([model], call)
      release()
    } finally {
      end()
    }
  }

  unloadModel(id: string): Promise<boolean> {
    return this.configuredModels.unload(id)
  }

  drain(signal: AbortSignal = AbortSignal.timeout(this.config.limits.drain * 1000)): Promise<void> {
    return (this.drainPromise ??= this.finishCalls(signal))
  }

  stop(): Promise<void> {
    return (this.stopPromise ??= this.shutDown())
  }

  private async finishCalls(signal: AbortSignal): Promise<void> {
    if (this.currentState === 'stopped') return
    this.currentState = 'draining'
    const results = await this.services.drain(signal)
    this.calls.refuse()
    await untilAborted(this.calls.drained(), signal).catch(() => undefined)
    throwFirst(results)
  }

  private async shutDown(): Promise<void> {
    this.currentState = 'stopped'
    this.stopController.abort(failure('not_ready', { state: 'draining' }))
    this.calls.abortAll()
    await Promise.allSettled(this.startPromises)
    await this.waitForWork()
    await this.shadowScores?.close()
    const services = await this.services.stop()
    const models = await Promise.allSettled([this.configuredModels.stop(), this.schemas.stop()])
    throwFirst([...services, ...models])
  }

  /** Waits, for `abortGrace` at most, until no method of a model runs: before that, freeing memory is not safe. */
  private async waitForWork(): Promise<void> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), abortGrace)
    try {
      await untilAborted(this.registry.work.whenIdle(), limit.signal)
    } catch {
      this.logger.warn({}, 'models still work on calls that were aborted: they are stopped nevertheless')
    } finally {
      clearTimeout(timer)
    }
  }

  private loadModels(): Promise<void> {
    const { detectors } = this.policyResolver
    return this.configuredModels.load((model) => detectors.has(model))
  }

  private serve<Service extends object>(capability: Capability<Service>, model: RegisteredModel) {
    return serveCapability(capability, {
      calls: this.calls,
      label: `${model.implementation}, model ${model.id}`,
      origin: { plugin: model.plugin, model: model.id },
      acquire: (options, call) =>
        this.configuredModels.acquire(this.policyResolver.modelsFor(capability, model, options, call), call),
      service: () => {
        const service = this.registry.serviceOf(capability, model)
        if (!service) throw notLoadedError()
        return service
      },
      usageCounter: () => this.usageCounter(model),
      schemas: this.schemas,
      guardContext: (options: CallOptions, call: Call) => this.policyResolver.contextFor(model, options, call),
      onFailure: (error, { requestId }) =>
        this.logger.error({ requestId, plugin: model.plugin, model: model.id, error }, 'a call failed'),
    })
  }

  private usageCounter(model: RegisteredModel): UsageCounter | undefined {
    const tokenizer = this.registry.serviceOf(tokens, model)
    if (!tokenizer) return undefined
    return {
      tokenizer,
      onFailure: (error, { requestId }) => {
        const fields = { requestId, model: model.id, error }
        this.logger.warn(fields, 'the tokens of an answer could not be counted')
      },
    }
  }
}

/** Validates the arguments of `get()`, which no compiler checks in JavaScript. @throws invalid_request */
const checkLookup = (capability: unknown, model: unknown): void => {
  if (!isRecord(capability) || !isRecord(capability.methods))
    throw failure('invalid_request', { problem: 'get() takes a capability, such as chat of @sallyport/core' })
  if (model !== undefined && typeof model !== 'string')
    throw failure('invalid_request', { problem: 'get() takes the id or alias of a model, a string' })
}
