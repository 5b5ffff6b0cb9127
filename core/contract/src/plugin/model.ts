/** Models: as configured (spec), as loaded, and as listed (descriptor). */

import type { Capability } from '../capabilities/capability.js'

/** Facts from a catalogue for the backend that loads a model. */
export interface ModelFacts {
  /** Maximum context in tokens; present if the model's files do not contain it. */
  readonly contextLength?: number
}

/** Facts from a catalogue for the kernel. */
export interface CatalogueFacts extends ModelFacts {
  /** Names of the capabilities that the model is used for. */
  readonly capabilities?: readonly string[]
}

/** A configured model with its files resolved, for the backend that loads it. */
export interface ModelSpec<Options = unknown> extends ModelFacts {
  readonly id: string
  /** The backend's options for this model, validated and with defaults. */
  readonly options: Options
  /** Local paths by the names that the catalogue (or the reference) gives them; `model` is the weights' file. */
  readonly files: Readonly<Record<string, string>>
}

/** What a model can do beyond its capabilities; shown in listings. */
export interface ModelFeatures {
  /** Chat or embedding takes images. */
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
  /** Name of its policy in the configuration. */
  readonly policy?: string
  /** Maximum context in tokens; absent for models without one. */
  readonly contextLength?: number
  readonly ownedBy: string
  readonly description: string
  /** The number of weights; absent where it is not known. */
  readonly parameters?: number
  /** How prompts are built: the name of a chat template format, or `raw`. */
  readonly promptFormat?: string
  /** The types that a detector of personal information may find; absent where it does not say. */
  readonly entityTypes?: readonly string[]
  /** When the model was registered, Unix seconds. */
  readonly created: number
}

/**
 * The backend's part of a descriptor; the rest comes from the configuration. It is read at each listing if the model
 * runs in the kernel's process, so properties may be getters.
 */
export interface LoadedDescriptor {
  contextLength?: number | undefined
  ownedBy?: string
  description?: string
  parameters?: number
  promptFormat?: string
  features?: ModelFeatures
  entityTypes?: readonly string[]
}

/** One capability and its implementation. Made by {@link provide}, which checks that they fit. */
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
 * Loads one model. Constructed once per model, with {@link ModelSpec} and the plugin's options injected; with
 * `isolation`, in a child process, and again in each process that takes the place of one that ended.
 */
export interface ModelBackend {
  /** Heavy work happens here and nowhere earlier. @throws model_invalid, insufficient_memory, … */
  load(): Promise<LoadedModel>
  /** Frees everything. No call is running any more, except one whose method has ignored its abort for a second. */
  stop?(): Promise<void>
}
