/** The models of the configuration: registered at once, loaded at the start or when they are asked for. */

import { checkOtherModels, failure, isSallyportError, otherModelsOf } from '@sallyport/core'
import type { CatalogueFacts, ModelEntry, ModelUse } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import { maxOf } from '@sallyport/kit/lists'
import { findBackend } from '../plugins/load.js'
import type { LoadedPlugin } from '../plugins/load.js'
import { locateModelError } from '../plugins/error-location.js'
import { ConfiguredModel } from './configured-model.js'
import type { FoundBackend, LoadingContext } from './configured-model.js'
import { checkMemory, usableMemory } from './memory.js'
import { notLoadedError } from './registry.js'
import type { ModelRegistry, RegisteredModel } from './registry.js'
import { Residency } from './residency.js'
import type { Release } from './residency.js'

export class ConfiguredModels {
  private readonly models: readonly ConfiguredModel[]
  private readonly byRegistered: ReadonlyMap<RegisteredModel, ConfiguredModel>
  private readonly residency: Residency

  constructor(
    plugins: readonly LoadedPlugin[],
    private readonly context: LoadingContext,
    registry: ModelRegistry,
  ) {
    const { config } = context
    this.residency = new Residency(usableMemory(config.limits.memory))
    this.models = Object.entries(config.models).flatMap(([id, entry]) => {
      const found = findBackend(plugins, entry.backend)
      if (!found) return []
      const registered = registeredModel(id, entry, found)
      registry.add(registered)
      return [new ConfiguredModel(id, entry, found, registered, context)]
    })
    this.byRegistered = new Map(this.models.map((model) => [model.registered, model]))
  }

  /**
   * Fetches missing files, refuses models that do not fit into memory, and loads side by side the models of which the
   * configuration says so, and those that policies use. Capabilities beyond the expected ones count only when all are
   * loaded, so that the order of loading decides nothing.
   * @param isUsedByPolicy models that stay loaded, since what they guard must not wait for them
   */
  async load(isUsedByPolicy: (model: RegisteredModel) => boolean): Promise<void> {
    for (const model of this.models) if (isUsedByPolicy(model.registered)) model.keep = Infinity
    let next = this.models.filter((model) => model.loadsAtStart || model.keep === Infinity)
    for (const model of this.models) if (!next.includes(model)) await this.withLocation(model, () => model.recall())
    const loaded = new Set<ConfiguredModel>()
    while (next.length) {
      await this.loadTogether(next)
      for (const model of next) loaded.add(model)
      next = this.partsOf(next.filter(({ keep }) => keep === Infinity)).filter((part) => !loaded.has(part))
      for (const part of next) part.keep = Infinity
    }
    for (const model of loaded) model.isStarting = false
    for (const { registered } of loaded) registered.capabilities = new Set(registered.services.keys())
    for (const model of loaded) await this.withLocation(model, () => checkOtherModels(this.context.kernel, model.id))
  }

  /**
   * Keeps models loaded until they are released, and loads those that are not.
   * @throws not_ready where a load takes longer than the request may; model_unavailable where a load fails;
   * insufficient_memory; the signal's reason
   */
  async acquire(models: readonly RegisteredModel[], requester: Requester): Promise<Release> {
    const wanted = models.flatMap((model) => this.byRegistered.get(model) ?? [])
    if (wanted.some((model) => model.isStarting && !model.isLoaded)) throw notLoadedError()
    try {
      return await this.residency.acquire(wanted, requester)
    } catch (error) {
      throw this.toCallError(error, wanted)
    }
  }

  uses(): readonly ModelUse[] {
    return this.models.map((model) => {
      const { users, bytes, lastUsed } = this.residency.stateOf(model)
      const { id, keep, registered } = model
      const state = registered.state()
      const minutes = keep === Infinity ? ('always' as const) : keep / 60_000
      return { id, state, users, bytes, keep: minutes, ...(lastUsed === undefined ? {} : { lastUsed }) }
    })
  }

  unload(id: string): Promise<boolean> {
    const found = this.models.find((model) => model.id === id)
    if (found) return this.residency.unload(found)
    throw failure('model_not_found', { model: id, available: this.models.map((model) => model.id) })
  }

  applyCatalogueFacts(id: string, facts: CatalogueFacts): void {
    this.models.find((model) => model.id === id)?.applyCatalogueFacts(facts)
  }

  stop(): Promise<void> {
    return this.residency.stop()
  }

  private async loadTogether(models: readonly ConfiguredModel[]): Promise<void> {
    const { config, signal } = this.context
    for (const model of models) model.isStarting = true
    // One after the other: they may share files, and their progress is shown line by line.
    for (const model of models) await this.residency.prepare([model], signal)
    const estimates = models.flatMap(({ id, estimate }) => (estimate ? [[id, estimate] as const] : []))
    checkMemory(new Map(estimates), config.limits.memory)
    const release = await this.residency.acquire(models, { signal, tenant: 'start' })
    release()
  }

  /** The models of which others are composed. */
  private partsOf(models: readonly ConfiguredModel[]): readonly ConfiguredModel[] {
    const ids = new Set(models.flatMap(({ id }) => otherModelsOf(this.context.kernel, id)))
    return this.models.filter(({ id }) => ids.has(id))
  }

  private async withLocation({ id, entry }: ConfiguredModel, work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw locateModelError(error, id, entry, this.context.config)
    }
  }

  private toCallError(error: unknown, wanted: readonly ConfiguredModel[]): unknown {
    if (!isSallyportError(error)) return error
    if (error.code === 'deadline_exceeded') return notLoadedError(maxOf(wanted.map(({ secondsLeft }) => secondsLeft)))
    const problem = loadProblems.get(error.code)
    if (problem === undefined) return error
    const model = wanted.map(({ id }) => id).join(', ')
    this.context.logger.error({ model, error }, 'a model could not be loaded')
    return failure('model_unavailable', { model, problem }, { cause: error, retryAfter: 5 })
  }
}

/** What callers learn of errors of loads; the log has the rest. */
const loadProblems: ReadonlyMap<string, string> = new Map([
  ['model_files', 'its files could not be fetched'],
  ['insufficient_storage', 'there is no room for its files'],
  ['model_invalid', 'it could not be loaded'],
  ['plugin_invalid', 'it could not be loaded'],
  ['config_invalid', 'it could not be loaded'],
])

const registeredModel = (id: string, entry: ModelEntry, { backend, plugin }: FoundBackend): RegisteredModel => {
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
    descriptor: backend.features ? { features: backend.features } : {},
    state: () => 'unloaded',
  }
}
