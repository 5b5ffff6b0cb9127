/** The configuration as the kernel reads it: validated, defaults filled in, frozen. */

import type { Stage } from './capabilities/check.js'
import type { PolicyEntries } from './policy.js'
import type { PluginDefinition } from './plugin/plugin.js'

export interface PluginEntry {
  /** Package name, path (relative to the configuration file) or, from code, the definition itself. */
  readonly use: string | URL | PluginDefinition
  readonly options?: object
}

export interface ModelEntry {
  /** Name of a backend of a loaded plugin. */
  readonly backend: string
  /** Catalogue id, `hf:owner/repository[@revision]/file` or path. Default: the model's own id, from the catalogue. */
  readonly source?: string
  /** Other names; several models may have the same one if their capabilities differ. */
  readonly aliases: readonly string[]
  /** Name of a policy; `default` when there is one of that name. */
  readonly policy?: string
  readonly description?: string
  readonly ownedBy?: string
  /** When it loads; as `Config.load` says when absent. */
  readonly load?: LoadTime
  /** Minutes for which it stays loaded without use; 5 when absent, or `always` for a model that loads at the start. */
  readonly keep?: number | 'always'
  readonly options: object
}

/** Whether a model loads when the kernel starts, or when it is first asked for. */
export type LoadTime = 'start' | 'demand'

/** The entries of each stage. What the configuration omits is filled in from the defaults of the checks. */
export type Policy = { readonly [Name in Stage]: PolicyEntries }

export interface StoreConfig {
  /** Catalogue files beside the built-in one, relative to the configuration file. */
  readonly catalogues: readonly string[]
  /** Whether only files in the cache are used, and nothing is fetched. */
  readonly offline: boolean
}

export interface LimitsConfig {
  /** Longest time that a call may take, in seconds. */
  readonly deadline: number
  /** Seconds that running requests get to finish when the server is told to stop. */
  readonly drain: number
  /** Share of the machine's memory that models may need together, 0..1. */
  readonly memory: number
}

export interface LogConfig {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `auto`: readable lines at a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  /** `full`: with messages of exceptions, which may quote users. */
  readonly exceptions: 'frames' | 'full'
}

export interface Config {
  readonly plugins: readonly PluginEntry[]
  readonly models: Readonly<Record<string, ModelEntry>>
  readonly policies: Readonly<Record<string, Policy>>
  /** The settings of checks that callers request. Of these and the model's policy, the stricter ones apply. */
  readonly callerPolicy: Policy
  /** When models load that do not say. */
  readonly load: LoadTime
  readonly store: StoreConfig
  readonly limits: LimitsConfig
  readonly log: LogConfig
  /** Where relative paths start. */
  readonly baseDirectory: string
  /** Top-level sections that plugins have claimed (`server`), as written; validated by their plugin's schema. */
  readonly sections: Readonly<Record<string, object>>
  /**
   * `file:line:column` of a value (or of its key), or of the value that contains it when it is a default; undefined
   * when the configuration came from code.
   */
  readonly where: (path: readonly (string | number)[], part?: 'key' | 'value') => string | undefined
}

/** What a user may pass to `createKernel`: every part may be left out. */
export interface ConfigInput {
  plugins?: readonly (string | URL | PluginDefinition | { use: string | URL | PluginDefinition; options?: object })[]
  models?: Record<string, { backend: string } & Partial<ModelEntry>>
  policies?: Record<string, object>
  callerPolicy?: object
  load?: LoadTime
  store?: Partial<StoreConfig>
  limits?: Partial<LimitsConfig>
  log?: Partial<LogConfig>
  [section: string]: unknown
}
