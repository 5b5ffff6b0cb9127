/** Loads the models of the configuration from their files. */

import { stat } from 'node:fs/promises'
import { checkOtherModels, failure } from '@sallyport/core'
import type { BackendDefinition, CatalogueFacts, Config, Kernel, ModelFacts, Logger } from '@sallyport/core'
import type { MemoryEstimate, ModelEntry, ModelOpener, ModelSpec } from '@sallyport/core'
import { stateDirectory } from '@sallyport/kit/installation'
import { pluginLabel } from '../plugins/container.js'
import { findBackend } from '../plugins/load.js'
import type { LoadedPlugin } from '../plugins/load.js'
import { locateModelError } from '../plugins/error-location.js'
import { throwFirst } from '../plugins/services.js'
import { hostInChildProcess, hostInProcess } from '../runner/host.js'
import type { HostedBackend } from '../runner/host.js'
import { checkMemory } from './memory.js'
import type { ModelFileSource } from './model-files.js'
import { refuseIncomplete } from './own-models.js'
import type { ModelRegistry, RegisteredModel } from './registry.js'

interface ConfiguredModel {
  readonly id: string
  readonly entry: ModelEntry
  readonly backend: BackendDefinition
  readonly plugin: LoadedPlugin
  readonly registered: RegisteredModel
}

/** Registers the models of the configuration at once, loads them later, and stops them in the end. */
export class ConfiguredModels {
  private readonly models: ConfiguredModel[] = []
  private readonly hosted: HostedBackend[] = []

  constructor(
    private readonly config: Config,
    plugins: readonly LoadedPlugin[],
    private readonly fileSource: () => Promise<ModelFileSource>,
    private readonly logger: Logger,
    private readonly kernel: Kernel,
    private readonly modelOpener: ModelOpener,
    registry: ModelRegistry,
  ) {
    for (const [id, entry] of Object.entries(config.models)) {
      const found = findBackend(plugins, entry.backend)
      if (!found) continue
      const registered = registeredModel(id, entry, found)
      registry.add(registered)
      this.models.push({ id, entry, ...found, registered })
    }
  }

  /**
   * Fetches missing files, refuses models that do not fit into memory, and loads the models side by side. Capabilities
   * beyond the expected ones count only when all are loaded, so that the order of loading decides nothing.
   */
  async load(signal: AbortSignal): Promise<void> {
    const specs = new Map<ConfiguredModel, ModelSpec>()
    for (const model of this.models)
      specs.set(model, await this.withErrorLocation(model, () => this.resolve(model, signal)))
    checkMemory(await estimates(specs), this.config.limits.memory)
    await Promise.all(
      [...specs].map(([model, spec]) => this.withErrorLocation(model, () => this.host(model, spec, signal))),
    )
    if (signal.aborted) return
    for (const { registered } of specs.keys()) registered.capabilities = new Set(registered.services.keys())
    for (const model of specs.keys()) await this.withErrorLocation(model, () => checkOtherModels(this.kernel, model.id))
  }

  /**
   * Narrows the capabilities that a model may provide, until it is loaded, to those that its catalogue entry lists and
   * those that its backend always provides. An entry that lists none of the backend's capabilities decides nothing: the
   * backend uses the files for something else.
   */
  applyCatalogueFacts(id: string, { capabilities = [] }: CatalogueFacts): void {
    const model = this.models.find((candidate) => candidate.id === id)
    if (!model?.backend.capabilities.some(({ name }) => capabilities.includes(name))) return
    const always = model.backend.always?.(model.entry.options) ?? []
    const known = new Set([...capabilities, ...always.map(({ name }) => name)])
    model.registered.capabilities = intersection(model.registered.capabilities, known)
  }

  private async withErrorLocation<Result>(
    { id, entry }: ConfiguredModel,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw locateModelError(error, id, entry, this.config)
    }
  }

  async stop(signal: AbortSignal): Promise<void> {
    throwFirst(await Promise.allSettled(this.hosted.map((backend) => backend.stop(signal))))
  }

  private async resolve({ id, entry, backend, registered }: ConfiguredModel, signal: AbortSignal): Promise<ModelSpec> {
    if (backend.files === 'none') return specOf(id, entry, { files: {} })
    const fileSource = await this.fileSource()
    const found = await fileSource.resolve(entry.source ?? id, { signal, ...fileRequest(backend) })
    if (found.catalogueEntry) {
      registered.configured = { description: found.catalogueEntry.description, ...registered.configured }
      this.applyCatalogueFacts(id, found.catalogueEntry)
    }
    return specOf(id, entry, found)
  }

  private async host(
    { entry, backend, plugin, registered }: ConfiguredModel,
    spec: ModelSpec,
    signal: AbortSignal,
  ): Promise<void> {
    if (backend.isolation && plugin.moduleUrl === undefined)
      this.logger.warn(
        { model: spec.id, plugin: plugin.definition.name },
        'the model runs in this process: a plugin that is given as an object cannot be loaded in another one',
      )
    const started = performance.now()
    const { kernel, modelOpener, config } = this
    const { baseDirectory } = config
    const logger = this.logger.child({ plugin: plugin.definition.name, model: spec.id })
    const inputs = {
      plugin: pluginLabel(plugin),
      pluginOptions: plugin.options,
      spec,
      baseDirectory,
      home: stateDirectory(),
      logger,
    }
    const hosted =
      backend.isolation && plugin.moduleUrl !== undefined
        ? await hostInChildProcess({
            ...inputs,
            moduleUrl: plugin.moduleUrl,
            backendName: entry.backend,
            capabilities: backend.capabilities,
            isolation: backend.isolation,
            signal,
          })
        : await hostInProcess({ ...inputs, backend, signal, ...(!backend.isolation && { kernel, modelOpener }) })
    this.hosted.push(hosted)
    if (signal.aborted) return hosted.stop(signal)
    if (!hosted.loaded.provides.length) {
      const problem = `its backend ${entry.backend} provides nothing for the model ${spec.id}: see ModelBackend.load`
      throw failure('plugin_invalid', { plugin: pluginLabel(plugin), problem })
    }
    for (const { capability, service } of hosted.loaded.provides) {
      refuseIncomplete({ capability, service }, spec.id, pluginLabel(plugin))
      registered.services.set(capability.name, service)
    }
    registered.capabilities = intersection(registered.capabilities, registered.services)
    registered.descriptor = hosted.loaded.descriptor ?? {}
    registered.state = () => hosted.state
    this.logger.info(
      {
        model: spec.id,
        backend: entry.backend,
        ...(await sizeOf(spec)),
        ...(registered.descriptor.contextLength === undefined
          ? {}
          : { contextLength: registered.descriptor.contextLength }),
        ms: Math.round(performance.now() - started),
        capabilities: [...registered.services.keys()],
      },
      'model ready',
    )
  }
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

const registeredModel = (
  id: string,
  entry: ModelEntry,
  { backend, plugin }: Pick<ConfiguredModel, 'backend' | 'plugin'>,
): RegisteredModel => {
  const { description, ownedBy } = entry
  return {
    id,
    aliases: entry.aliases,
    capabilities: new Set(backend.capabilities.map(({ name }) => name)),
    services: new Map(),
    policy: entry.policy,
    implementation: `backend ${entry.backend}`,
    plugin: plugin.definition.name,
    configured: {
      ...(description === undefined ? {} : { description }),
      ...(ownedBy === undefined ? {} : { ownedBy }),
    },
    descriptor: {},
    state: () => 'loading',
  }
}

const estimates = async (specs: ReadonlyMap<ConfiguredModel, ModelSpec>): Promise<Map<string, MemoryEstimate>> => {
  const estimates = new Map<string, MemoryEstimate>()
  for (const [{ backend }, spec] of specs) {
    const estimate = await backend.estimate?.(spec)
    if (estimate) estimates.set(spec.id, estimate)
  }
  return estimates
}

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
