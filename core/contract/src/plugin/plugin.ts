import type { Capability } from '../capabilities/capability.js'
import type { Kernel } from '../kernel.js'
import type { Logger } from './logger.js'
import type { MemoryEstimate, ModelBackend, ModelFeatures, ModelSpec } from './model.js'

/** A JSON Schema (draft 2020-12) for options; `default`s are filled in, unknown keys are refused. */
export type OptionsSchema = { readonly type: 'object'; readonly [keyword: string]: unknown }

/** A class whose constructor parameters all carry `@inject(token)`. */
export type Constructor<Instance> = new (...dependencies: never[]) => Instance

/** A model of the plugin itself, which needs no files and no configuration. */
export interface PluginModel<Service extends object = object> {
  readonly capability: Capability<Service>
  readonly class: Constructor<NoInfer<Service>>
  /** Further capabilities of the same model. */
  readonly also?: readonly CapabilityClass[]
  readonly contextLength?: number
  /** The number of weights. */
  readonly parameters?: number
  readonly description?: string
  readonly ownedBy?: string
  readonly features?: ModelFeatures
  /** The types that a detector of personal information may find. */
  readonly entityTypes?: readonly string[]
  readonly aliases?: readonly string[]
}

/** A capability and its class, checked against each other by {@link serve}. */
export interface CapabilityClass {
  readonly capability: Capability
  readonly class: Constructor<object>
}

export const serve = <Service extends object>(
  capability: Capability<Service>,
  implementation: Constructor<NoInfer<Service>>,
): CapabilityClass => ({ capability, class: implementation })

/** The child process of each model of a backend. */
export interface ProcessIsolation {
  /** Added to the allow-listed environment of the child; fixed at fork (`UV_THREADPOOL_SIZE`). */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Maximum memory of a model's process in bytes; a process that takes more is restarted. For backends that unpack
   * untrusted files.
   */
  readonly memory?: (model: ModelSpec) => number
}

/** A file that a backend needs of a repository or directory. */
export interface RequiredFile {
  /** Paths to look for; the first that exists is used. */
  readonly names: readonly string[]
  /** Whether the backend works without it. */
  readonly optional?: boolean
}

/** By the name under which the backend finds the file; `model` is the weights. */
export type RequiredFiles = Readonly<Record<string, RequiredFile>>

/** A program of the system that a backend uses where it is installed. */
export interface OptionalProgram {
  /** The name that it is called by, or its path: `ffmpeg`. */
  readonly name: string
  /** The limitation without it, for `sallyport check`: `only wav, mp3 and flac are read`. */
  readonly without: string
}

/** A kind of model that the configuration may name under `models.<id>.backend`. */
export interface BackendDefinition {
  readonly description: string
  /** The options of one model, under `models.<id>.options`. */
  readonly options?: OptionsSchema
  /** What a model of this backend may provide; what it does provide is known when it is loaded. */
  readonly capabilities: readonly Capability[]
  /**
   * The capabilities that every model with these options provides, even if a catalogue does not list them. Of the
   * others, a model in a catalogue may provide only those that are listed there.
   * @param options the model's, validated and with defaults
   */
  always?(options: unknown): readonly Capability[]
  /** What all its models can do, which are listed with it before they are loaded. */
  readonly features?: ModelFeatures
  readonly class: Constructor<ModelBackend>
  /**
   * Which files a model is made of: `weights` (default) for one file, `none` for a remote server, or the names of the
   * files by role, as they are found in a repository or a folder.
   */
  readonly files?: 'weights' | 'none' | RequiredFiles
  /**
   * File name extensions of weights that it reads (`.gguf`): others are not fetched for it. Absent if names do not
   * show the format.
   */
  readonly formats?: readonly string[]
  /**
   * Programs of the system that it uses if they are installed, or a function from a model's options to them;
   * `sallyport check` names those that are missing.
   */
  readonly programs?: readonly OptionalProgram[] | ((model: Pick<ModelSpec, 'options'>) => readonly OptionalProgram[])
  /** A child process per model: a crash in native code ends only that model's requests. */
  readonly isolation?: ProcessIsolation
  /** Estimates from the files, without loading them, for `sallyport check` and to refuse models that do not fit. */
  readonly estimate?: (model: ModelSpec) => Promise<MemoryEstimate>
  /**
   * For `sallyport check`: finds, without loading or connecting to anything, what `load` would refuse, such as options
   * that name no other model ({@link otherModel}) or files beside the weights with unsupported settings. The kernel
   * knows all models, and has loaded none of them. It is a method so that implementations can narrow the type of the
   * options.
   * @param baseDirectory the base of relative paths in the configuration
   * @throws what `load` would throw; `model_invalid` with `option` for one of the model's options
   */
  check?(model: ModelSpec, kernel: Kernel, baseDirectory: string): void | Promise<void>
  /**
   * For `sallyport check`: the types that a detector of personal information may find; undefined where unknown. Called
   * when `check` has found nothing.
   */
  readonly entityTypes?: (
    model: ModelSpec,
    baseDirectory: string,
  ) => readonly string[] | undefined | Promise<readonly string[] | undefined>
}

/** Something that lives as long as the kernel: a server, a poller. Made once, in `setup`. */
export interface Service {
  /** May listen and connect; models may still be loading. The signal is aborted when the start is aborted. */
  start?(signal: AbortSignal): Promise<void>
  /** Every model is loaded. */
  ready?(): void | Promise<void>
  /** Refuse new work, finish the old; return when it is finished or the signal is aborted. */
  drain?(signal: AbortSignal): Promise<void>
  /** Free everything. Called again if an aborted start ends only afterwards. */
  stop?(): Promise<void>
}

/** A policy that a service applies to requests, and to which: `route /completions`, `key ci`. */
export interface BoundPolicy {
  readonly policy: string
  readonly by: string
}

/** What `sallyport check` reports about what a service connects to, such as tool servers. */
export interface OutsideReport {
  readonly title: string
  readonly entries: readonly OutsideEntry[]
}

export interface OutsideEntry {
  readonly text: string
  readonly lists?: readonly { readonly head: string; readonly items: readonly string[] }[]
  /** A problem that does not prevent the start. */
  readonly warning?: string
}

export interface ExamineContext {
  /** The directory of the project's state, which must only be read. */
  readonly home: string
  /** The base of relative paths in the configuration. */
  readonly baseDirectory: string
  readonly logger: Logger
}

/** The class of a service, with methods for `sallyport check`, which starts no services. */
export interface ServiceClass extends Constructor<Service> {
  /** What it does: `serves HTTP`. */
  readonly summary?: string
  /**
   * The policies that it applies to requests in addition to those of models.
   * @param options the plugin's, validated and with defaults
   * @param home the directory of the project's state
   */
  bindings?(options: unknown, home: string): readonly BoundPolicy[]
  /**
   * Connects to what the service would, within time limits of its own, and changes nothing; undefined where there is
   * nothing to connect to.
   * @param options the plugin's, validated and with defaults
   */
  examine?(options: unknown, context: ExamineContext): Promise<OutsideReport | undefined>
}

export interface CommandContext {
  /** The plugin's options as configured. */
  readonly options: unknown
  /** The directory of the project's state (see `SALLYPORT_HOME`). */
  readonly home: string
  readonly logger: Logger
  /** Where relative paths of the configuration start; absent where no configuration was read. */
  readonly baseDirectory?: string
  /** Ids and aliases of the models of the configuration and its plugins; absent where no configuration was read. */
  readonly models?: readonly string[]
  /** Names of the configuration's policies; absent where no configuration was read. */
  readonly policies?: readonly string[]
  /** Prints a line to standard output. */
  readonly print: (line: string) => void
}

/** A command line command: `sallyport keys create --name ci`. */
export interface CommandDefinition {
  readonly name: string
  readonly description: string
  /** Arguments as commander writes them: `<required>`, `[optional]`. */
  readonly arguments?: readonly { readonly name: string; readonly description: string }[]
  readonly options?: readonly { readonly flags: string; readonly description: string; readonly default?: string }[]
  readonly commands?: readonly CommandDefinition[]
  readonly run?: (
    input: { readonly arguments: readonly string[]; readonly options: Readonly<Record<string, unknown>> },
    context: CommandContext,
  ) => Promise<void>
}

export interface PluginDefinition<Services extends Record<string, object> = Record<string, object>> {
  /** Unique in a kernel; for a package, its name. */
  readonly name: string
  /** The options of the plugin as a whole: `plugins[].options`, or the top-level section named below. */
  readonly options?: OptionsSchema
  /** A top-level key of the configuration that holds this plugin's options (`server`). */
  readonly section?: string
  /** Models that need no configuration. */
  readonly models?: { readonly [Id in keyof Services]: PluginModel<Services[Id]> }
  /** Kinds of model that the configuration may use. */
  readonly backends?: Readonly<Record<string, BackendDefinition>>
  /** Capabilities that some loaded plugin must provide; checked at boot. */
  readonly requires?: readonly Capability[]
  /** Constructed in `setup`, started and stopped with the kernel. */
  readonly services?: readonly ServiceClass[]
  readonly commands?: readonly CommandDefinition[]
}

/** Declares a plugin; the default export of its module. */
export const definePlugin = <Services extends Record<string, object>>(
  definition: PluginDefinition<Services>,
): PluginDefinition<Services> => definition
