/** One model of the configuration: fetched, loaded and unloaded as often as it is asked for. */

import { stat } from 'node:fs/promises'
import { failure } from '@sallyport/core'
import type {
  BackendDefinition,
  CatalogueFacts,
  Config,
  Kernel,
  LoadedModel,
  Logger,
  ModelFacts,
} from '@sallyport/core'
import type { MemoryEstimate, ModelEntry, ModelOpener, ModelSpec } from '@sallyport/core'
import { stateDirectory } from '@sallyport/kit/installation'
import { pluginLabel } from '../plugins/container.js'
import { locateModelError } from '../plugins/error-location.js'
import type { LoadedPlugin } from '../plugins/load.js'
import { hostInChildProcess, hostInProcess } from '../runner/host.js'
import type { HostedBackend } from '../runner/host.js'
import { totalBytes } from './memory.js'
import type { KnownFacts, ModelIdentity } from './known-facts.js'
import type { ModelFileSource } from './model-files.js'
import { refuseIncomplete } from './own-models.js'
import type { RegisteredModel } from './registry.js'
import type { Loadable } from './residency.js'

/** What all models of a kernel are loaded with. */
export interface LoadingContext {
  readonly config: Config
  readonly fileSource: () => Promise<ModelFileSource>
  readonly logger: Logger
  readonly kernel: Kernel
  readonly modelOpener: ModelOpener
  /** Absent where nothing is kept. */
  readonly facts: KnownFacts | undefined
  /** Aborted when the kernel stops. */
  readonly signal: AbortSignal
}

export interface FoundBackend {
  readonly backend: BackendDefinition
  readonly plugin: LoadedPlugin
}

export class ConfiguredModel implements Loadable {
  keep: number
  /** Whether it is one of the models with which the kernel starts, and these are not all loaded. */
  isStarting: boolean
  private readonly backend: BackendDefinition
  private readonly plugin: LoadedPlugin
  /** The memory that its backend estimates, where its files are ready. */
  estimate: MemoryEstimate | undefined
  private spec: ModelSpec | undefined
  private hosted: HostedBackend | undefined
  private isLoading = false
  /** When its files will be fetched, by `performance.now()`. */
  private fetchEnd = 0
  /** Milliseconds that the last load took. */
  private loadTime = 0
  private identity: ModelIdentity | undefined

  constructor(
    readonly id: string,
    readonly entry: ModelEntry,
    { backend, plugin }: FoundBackend,
    readonly registered: RegisteredModel,
    private readonly context: LoadingContext,
  ) {
    this.backend = backend
    this.plugin = plugin
    this.keep = keepOf(entry, context.config)
    this.isStarting = this.loadsAtStart
    registered.state = () => this.hosted?.state ?? (this.isLoading || this.isStarting ? 'loading' : 'unloaded')
  }

  /** Whether it runs in a process of its own. */
  private get isIsolated(): boolean {
    return this.backend.isolation !== undefined && this.plugin.moduleUrl !== undefined
  }

  get isLoaded(): boolean {
    return this.hosted !== undefined
  }

  /** How long it will take to fetch and to load it, about. */
  get secondsLeft(): number {
    const fetching = Math.max(0, this.fetchEnd - performance.now())
    const milliseconds = Number.isFinite(fetching) ? fetching + this.loadTime : maxRetryAfter * 1000
    return Math.min(maxRetryAfter, Math.max(1, Math.ceil(milliseconds / 1000)))
  }

  get loadsAtStart(): boolean {
    return (this.entry.load ?? this.context.config.load) === 'start'
  }

  /** Fetches missing files. @returns the bytes of memory that its backend estimates */
  prepare(): Promise<number> {
    return this.working(async () => {
      this.spec = await this.resolve()
      this.estimate = await this.backend.estimate?.(this.spec)
      return (this.estimate ? totalBytes(this.estimate) : 0) + (this.isIsolated ? processBytes : 0)
    })
  }

  load(): Promise<void> {
    return this.working(async () => {
      const { id, registered, context, entry } = this
      const started = performance.now()
      const spec = (this.spec ??= await this.resolve())
      const hosted = await this.host(spec)
      try {
        context.signal.throwIfAborted()
        this.register(hosted.loaded)
      } catch (error) {
        registered.services.clear()
        await hosted.stop(AbortSignal.abort())
        throw error
      }
      this.hosted = hosted
      this.loadTime = performance.now() - started
      await this.remember()
      const { contextLength } = registered.descriptor
      context.logger.info(
        {
          model: id,
          backend: entry.backend,
          ...(await sizeOf(spec)),
          ...(contextLength === undefined ? {} : { contextLength }),
          ms: Math.round(this.loadTime),
          capabilities: [...registered.services.keys()],
        },
        'model ready',
      )
    })
  }

  /** @throws plugin_invalid */
  private register({ provides, descriptor = {} }: LoadedModel): void {
    const { id, registered, entry, plugin } = this
    if (!provides.length) {
      const problem = `its backend ${entry.backend} provides nothing for the model ${id}: see ModelBackend.load`
      throw failure('plugin_invalid', { plugin: pluginLabel(plugin), problem })
    }
    for (const { capability, service } of provides) {
      refuseIncomplete({ capability, service }, id, pluginLabel(plugin))
      registered.services.set(capability.name, service)
    }
    registered.capabilities = intersection(registered.capabilities, registered.services)
    registered.descriptor = descriptor
  }

  /** Learns, without loading it, what the catalogue says of the model and what an earlier load has found. */
  async recall(): Promise<void> {
    const { registered, context } = this
    this.identity = await this.identify()
    const found = this.identity && (await context.facts?.recall(this.identity))
    if (!found) return
    registered.capabilities = intersection(
      new Set(this.backend.capabilities.map(({ name }) => name)),
      new Set(found.capabilities),
    )
    registered.descriptor = found.descriptor
  }

  async unload(): Promise<void> {
    const { hosted, registered, context } = this
    this.hosted = undefined
    registered.services.clear()
    await hosted?.stop(AbortSignal.abort())
    context.logger.info({ model: this.id }, 'model unloaded')
  }

  /**
   * Narrows the capabilities that the model may provide, until it is loaded, to those that its catalogue entry lists and
   * those that its backend always provides. An entry that lists none of the backend's capabilities decides nothing: the
   * backend uses the files for something else.
   */
  applyCatalogueFacts({ capabilities = [] }: CatalogueFacts): void {
    const { backend, entry, registered } = this
    if (!backend.capabilities.some(({ name }) => capabilities.includes(name))) return
    const always = backend.always?.(entry.options) ?? []
    const known = new Set([...capabilities, ...always.map(({ name }) => name)])
    registered.capabilities = intersection(registered.capabilities, known)
  }

  private async identify(): Promise<ModelIdentity | undefined> {
    const { id, entry, backend, plugin, context } = this
    const known = { plugin: plugin.definition.name, backend: entry.backend, options: entry.options }
    if (backend.files === 'none') return { ...known, digests: [] }
    const described = await (await context.fileSource()).describe?.(entry.source ?? id, fileRequest(backend))
    if (described?.catalogueEntry) this.applyCatalogueEntry(described.catalogueEntry)
    return described && { ...known, digests: described.digests }
  }

  private async remember(): Promise<void> {
    const { registered, context, identity } = this
    if (!context.facts || this.loadsAtStart) return
    const { services, descriptor } = registered
    try {
      const known = identity ?? (await this.identify())
      if (known) await context.facts.remember(known, { capabilities: [...services.keys()], descriptor })
    } catch (error) {
      context.logger.warn({ model: this.id, error }, 'what the model can do could not be remembered')
    }
  }

  private applyCatalogueEntry(entry: CatalogueFacts & { readonly description: string }): void {
    const { registered } = this
    registered.configured = { description: entry.description, ...registered.configured }
    this.applyCatalogueFacts(entry)
  }

  private async working<Result>(work: () => Promise<Result>): Promise<Result> {
    this.isLoading = true
    try {
      return await work()
    } catch (error) {
      throw locateModelError(error, this.id, this.entry, this.context.config)
    } finally {
      this.isLoading = false
    }
  }

  private async resolve(): Promise<ModelSpec> {
    const { id, entry, backend, context } = this
    if (backend.files === 'none') return specOf(id, entry, { files: {} })
    const fileSource = await context.fileSource()
    const { signal } = context
    const begun = performance.now()
    const onProgress = (arrived: number, total = Infinity) => {
      this.fetchEnd = performance.now() + ((performance.now() - begun) / arrived) * Math.max(0, total - arrived)
    }
    const found = await fileSource.resolve(entry.source ?? id, { signal, onProgress, ...fileRequest(backend) })
    this.fetchEnd = 0
    if (found.catalogueEntry) this.applyCatalogueEntry(found.catalogueEntry)
    return specOf(id, entry, found)
  }

  private host(spec: ModelSpec): Promise<HostedBackend> {
    const { entry, backend, plugin, context } = this
    const { kernel, modelOpener, config, signal } = context
    if (backend.isolation && plugin.moduleUrl === undefined)
      context.logger.warn(
        { model: spec.id, plugin: plugin.definition.name },
        'the model runs in this process: a plugin that is given as an object cannot be loaded in another one',
      )
    const inputs = {
      plugin: pluginLabel(plugin),
      pluginOptions: plugin.options,
      spec,
      baseDirectory: config.baseDirectory,
      home: stateDirectory(),
      logger: context.logger.child({ plugin: plugin.definition.name, model: spec.id }),
      signal,
    }
    return backend.isolation && plugin.moduleUrl !== undefined
      ? hostInChildProcess({
          ...inputs,
          moduleUrl: plugin.moduleUrl,
          backendName: entry.backend,
          capabilities: backend.capabilities,
          isolation: backend.isolation,
        })
      : hostInProcess({ ...inputs, backend, ...(!backend.isolation && { kernel, modelOpener }) })
  }
}

/** Bytes that the process of a model takes besides its weights, cache and buffers; measured with tiny ones. */
const processBytes = 150 * 2 ** 20

/** Seconds after which a request may ask again at the latest. */
const maxRetryAfter = 600

/** Minutes for which a model that is loaded on demand stays loaded without use, where the configuration says nothing. */
const defaultKeep = 5

const keepOf = ({ load, keep }: ModelEntry, config: Config): number => {
  const { load: usual } = config
  if (keep === 'always') return Infinity
  if (keep !== undefined) return keep * 60_000
  return (load ?? usual) === 'start' ? Infinity : defaultKeep * 60_000
}

/** The size of the model's files, in bytes. */
const sizeOf = async ({ files }: ModelSpec): Promise<{ bytes?: number }> => {
  const sizes = await Promise.all(
    [...new Set(Object.values(files))].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.length ? { bytes: sizes.reduce((sum, size) => sum + size, 0) } : {}
}

const intersection = (names: ReadonlySet<string>, others: { has(name: string): boolean }): ReadonlySet<string> =>
  new Set([...names].filter((name) => others.has(name)))

/** The specification with which a backend loads or checks a model. */
export const specOf = (
  id: string,
  { options }: ModelEntry,
  { files, catalogueEntry }: { readonly files: ModelSpec['files']; readonly catalogueEntry?: ModelFacts },
): ModelSpec => ({
  id,
  options,
  files,
  ...(catalogueEntry?.contextLength !== undefined && { contextLength: catalogueEntry.contextLength }),
})

/** The files and formats to request from the store; empty for a backend that takes one weights file of any format. */
export const fileRequest = ({ files, formats }: BackendDefinition) => ({
  ...(typeof files === 'object' ? { wanted: files } : {}),
  ...(formats ? { formats } : {}),
})
