import { failure } from '@sallyport/core'
import type { Capability, PolicyEntry, ModelState, LoadedDescriptor, ModelDescriptor } from '@sallyport/core'
import { InFlight } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { Release } from './residency.js'
import { withValidResults } from '../calls/with-valid-results.js'

/** The error for a model that has no service yet. */
export const notLoadedError = (retryAfter = 1) => failure('not_ready', { state: 'loading' }, { retryAfter })

/** A registered model. Its services appear when it is loaded. */
export interface RegisteredModel {
  readonly id: string
  readonly aliases: readonly string[]
  /** What the model may provide until it is loaded, and then what it does provide. */
  capabilities: ReadonlySet<string>
  readonly services: Map<string, object>
  readonly policy: string | undefined
  /** The backend or plugin that implements it, for the log: `backend onnx` or `plugin shout`. */
  readonly implementation: string
  /** The name of the plugin that brings it. */
  readonly plugin: string
  /**
   * What the configuration, or else the catalogue, says of the model (description, owner); it overrides `descriptor`,
   * which comes from the backend or plugin.
   */
  configured: LoadedDescriptor
  descriptor: LoadedDescriptor
  state: () => ModelState
}

/** Loads models where they are not loaded, and keeps them until they are released. */
export type Acquire = (models: readonly RegisteredModel[], requester: Requester) => Promise<Release>

type Named = Pick<Capability, 'name'>

/** Finds models by capability and id or alias. Names from requests never touch the disk. */
export class ModelRegistry {
  private readonly byId = new Map<string, RegisteredModel>()
  private readonly byAlias = new Map<string, RegisteredModel[]>()
  private readonly created = Math.floor(Date.now() / 1000)
  /** Counts the work of services, even for calls that have ended. */
  readonly work = new InFlight()

  /** @throws config_invalid when the id is taken. */
  add(model: RegisteredModel): void {
    if (this.byId.has(model.id)) throw failure('config_invalid', { problem: `two models are called ${model.id}` })
    this.byId.set(model.id, model)
    for (const alias of model.aliases) this.byAlias.set(alias, [...(this.byAlias.get(alias) ?? []), model])
  }

  get all(): readonly RegisteredModel[] {
    return [...this.byId.values()]
  }

  get capabilities(): ReadonlySet<string> {
    return new Set(this.all.flatMap(({ capabilities }) => [...capabilities]))
  }

  providing(capability: Named): readonly RegisteredModel[] {
    return this.all.filter(({ capabilities }) => capabilities.has(capability.name))
  }

  /** @throws capability_missing, model_not_found */
  find(capability: Capability, name?: string): RegisteredModel {
    const candidates = this.providing(capability)
    const first = candidates[0]
    if (!first) throw failure('capability_missing', { capability: capability.name })
    if (name === undefined) return first
    const named = this.named(capability, name)
    if (named) return named
    throw failure('model_not_found', { model: name, available: candidates.map(({ id }) => id) })
  }

  /** The model of this id or alias that provides the capability. */
  named(capability: Named, name: string): RegisteredModel | undefined {
    const provides = (model: RegisteredModel) => model.capabilities.has(capability.name)
    const byId = this.byId.get(name)
    return byId && provides(byId) ? byId : this.byAlias.get(name)?.find(provides)
  }

  /** The model's service for the capability; undefined if it does not provide one or is not loaded yet. */
  serviceOf<Service extends object>(capability: Capability<Service>, model: RegisteredModel): Service | undefined {
    const service = model.services.get(capability.name) as Service | undefined
    const origin = { plugin: model.plugin, model: model.id }
    return service && withValidResults(capability, service, origin, this.work)
  }

  /** The detectors of an entry: the models that it names, or else the first one; undefined for unknown ones. */
  detectorsOf({ check, detectors }: Pick<PolicyEntry, 'check' | 'detectors'>): (RegisteredModel | undefined)[] {
    const capability = { name: check }
    return detectors?.map(({ model }) => this.named(capability, model)) ?? [this.providing(capability)[0]]
  }

  /** The model of this id or alias, whatever it provides. */
  lookup(name: string): RegisteredModel | undefined {
    return this.byId.get(name) ?? this.byAlias.get(name)?.[0]
  }

  describe({ id, aliases, capabilities, descriptor, configured, policy }: RegisteredModel): ModelDescriptor {
    const facts = { ...descriptor, ...configured }
    return {
      id,
      aliases,
      capabilities: [...capabilities],
      features: facts.features ?? {},
      ownedBy: facts.ownedBy ?? 'sallyport',
      description: facts.description ?? '',
      created: this.created,
      ...(policy === undefined ? {} : { policy }),
      ...(facts.contextLength === undefined ? {} : { contextLength: facts.contextLength }),
      ...(facts.parameters === undefined ? {} : { parameters: facts.parameters }),
      ...(facts.promptFormat === undefined ? {} : { promptFormat: facts.promptFormat }),
      ...(facts.entityTypes === undefined ? {} : { entityTypes: facts.entityTypes }),
    }
  }
}
