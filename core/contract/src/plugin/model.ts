/** What is known of a model: before it is loaded (spec), while it is (state), and to its users (descriptor). */

import type { Capability } from '../capabilities/capability.js'

/** What a catalogue says of a model to the backend that loads it. */
export interface KnownOfModel {
  /** The longest text in tokens that it was made for; present where its files do not say it. */
  readonly contextLength?: number
}

/** What else it says, to the kernel. */
export interface CatalogueFacts extends KnownOfModel {
  /** Names of all that the model is used for. */
  readonly capabilities?: readonly string[]
}

/** A configured model, files resolved: what a backend gets to load it. */
export interface ModelSpec<Options = unknown> extends KnownOfModel {
  readonly id: string
  /** The backend's options for this model, validated and with defaults. */
  readonly options: Options
  /** Local paths by the names that the catalogue (or the reference) gives them; `model` is the weights' file. */
  readonly files: Readonly<Record<string, string>>
}

/** What a model can do beyond its capabilities; shown in listings. */
export interface ModelFeatures {
  /** Chat or embedding takes pictures. */
  image?: boolean
  /** Chat calls functions. */
  tools?: boolean
  /** Chat thinks before it answers. */
  reasoning?: boolean
}

/** A model as listed. */
export interface ModelDescriptor {
  readonly id: string
  readonly aliases: readonly string[]
  /** Names of the capabilities that it provides. */
  readonly capabilities: readonly string[]
  readonly features: ModelFeatures
  /** Name of the policy that the configuration binds it to. */
  readonly policy?: string
  /** Tokens; absent where the term means nothing. */
  readonly contextLength?: number
  readonly ownedBy: string
  readonly description: string
  /** How prompts are put together: the name of a chat template format, or `raw`. */
  readonly promptFormat?: string
  /** The types that a detector of personal information may find; absent where it does not say. */
  readonly entityTypes?: readonly string[]
  /** When the model was registered, Unix seconds. */
  readonly created: number
}

/**
 * What a backend may say of the model it has loaded; the rest comes from the configuration. Of a model in the kernel's
 * process it is read at each listing: properties may be getters.
 */
export interface LoadedDescriptor {
  contextLength?: number | undefined
  ownedBy?: string
  description?: string
  promptFormat?: string
  features?: ModelFeatures
  entityTypes?: readonly string[]
}

/** One capability and what implements it. Made by {@link provide}, which checks that they fit. */
export interface Provision {
  readonly capability: Capability
  readonly service: object
}

export const provide = <Service extends object>(
  capability: Capability<Service>,
  service: NoInfer<Service>,
): Provision => ({ capability, service })

export interface LoadedModel {
  readonly provides: readonly Provision[]
  readonly descriptor?: LoadedDescriptor
}

/** Bytes that a model needs once it is loaded. */
export interface MemoryEstimate {
  weights: number
  /** Key-value cache for the whole context of all sequences. */
  cache: number
  compute: number
}

/**
 * Loads one model. Made once per model, with {@link ModelSpec} and the plugin's options injected; in a child process
 * where the backend asks for one.
 */
export interface ModelBackend {
  /** Heavy work happens here and nowhere earlier. @throws model_invalid, insufficient_memory, … */
  load(): Promise<LoadedModel>
  /** Frees everything; no call is running any more. */
  stop?(): Promise<void>
}
